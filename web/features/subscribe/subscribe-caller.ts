import type { CallerSummary } from '#schema/contracts/callers.ts';

/** The fields of a caller that the dialog needs. Callers of every list have them. */
export interface SubscribeCaller extends CallerSummary {
  /** Decimal string in SOL; null is Free. */
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** When the viewer's access ends or ended (ISO 8601); null or absent if they never paid. */
  readonly accessEndsAt?: string | null | undefined;
}
