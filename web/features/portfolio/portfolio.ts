import type { CopiedCall } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { calculate, gainOf } from '#schema/rules/calls/calculator.ts';
import { describePaperEnd } from '#schema/rules/text/gains.ts';

/** The result of the amount per call until now (unix ms). Null if the user only watches the caller. */
export function resultOf(follow: PaperFollow, calls: readonly CopiedCall[], now: number) {
  const { amountUsd: stakeUsd, monthlyFee, since } = follow;
  if (stakeUsd === null) return null;
  const callers = [{ fee: Number(monthlyFee ?? 0), calls }];
  return calculate({ callers, stakeUsd, since: Date.parse(since), until: now });
}

/** The ended calls that were made since the user follows their caller, each as a sentence. */
export function endsOf({ caller, amountUsd, since }: PaperFollow, calls: readonly CopiedCall[]) {
  return calls
    .filter(({ callTimestamp }) => callTimestamp >= since)
    .map((call) => {
      const gainUsd = amountUsd === null ? undefined : gainOf(call, amountUsd);
      const text = describePaperEnd({ symbol: call.tokenSymbol, changePercent: call.changePercent, gainUsd });
      return { id: call.id, caller, endedAt: call.endTimestamp, text };
    });
}
