import type { CallerSummary } from '#schema/contracts/callers.ts';

export interface SubscribeCaller extends CallerSummary {
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** Future or past end of the viewer's access (ISO 8601). Null or absent if the viewer never paid. */
  readonly accessEndsAt?: string | null | undefined;
}
