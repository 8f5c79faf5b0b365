import type { CallerSummary } from '#schema/contracts/callers.ts';

/** The fields of a caller that the dialog needs. Every list of callers has them. */
export interface SubscribeCaller extends CallerSummary {
  /** Decimal string in SOL; null means Free. */
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** Future or past end of the viewer's access (ISO 8601). Null or absent if the viewer never paid. */
  readonly accessEndsAt?: string | null | undefined;
}
