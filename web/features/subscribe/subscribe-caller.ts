import type { CallerSummary } from '#schema/contracts/callers.ts';
import { isFreeFee, parseSol } from '#schema/rules/lamports.ts';

/** Whom one subscribes to, as far as the dialog needs to know. A caller of any list fits. */
export interface SubscribeCaller extends CallerSummary {
  /** Decimal string in SOL; null is Free. */
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** Until when the viewer has access, or had (ISO 8601); null or absent without a period of theirs. */
  readonly accessEndsAt?: string | null | undefined;
}

/** Whether following costs nothing. */
export function isFreeCaller({ monthlyFee }: SubscribeCaller): boolean {
  return monthlyFee === null || isFreeFee(parseSol(monthlyFee) ?? -1n);
}
