import type { CopiedCall } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { calculate, type Calculation, gainOf } from '#schema/rules/calls/calculator.ts';
import { describePaperEnd } from '#schema/rules/text/gains.ts';

const SHOWN_ENDS = 20;

/** The results of the amount per call until now (unix ms). Null if the user only watches the caller. */
export function resultOf(follow: PaperFollow, calls: readonly CopiedCall[], now: number): Calculation | null {
  const { amountUsd, monthlyFee, since } = follow;
  if (amountUsd === null) return null;
  const callers = [{ fee: Number(monthlyFee ?? 0), calls }];
  return calculate({ callers, stakeUsd: amountUsd, since: Date.parse(since), until: now });
}

export interface EndedOnPaper {
  readonly call: CopiedCall;
  readonly follow: PaperFollow;
  readonly text: string;
}

/** The latest ended calls that were made since their callers are followed. */
export function latestEnds(
  followed: readonly { follow: PaperFollow; calls: readonly CopiedCall[] }[],
): EndedOnPaper[] {
  return followed
    .flatMap(({ follow, calls }) =>
      calls
        .filter(({ callTimestamp }) => callTimestamp >= follow.since)
        .map((call) => ({ follow, call, text: textOf(call, follow) })),
    )
    .toSorted((one, other) => (one.call.endTimestamp < other.call.endTimestamp ? 1 : -1))
    .slice(0, SHOWN_ENDS);
}

function textOf(call: CopiedCall, { amountUsd }: PaperFollow): string {
  const { tokenSymbol: symbol, changePercent } = call;
  const gainUsd = amountUsd === null ? undefined : gainOf(call, amountUsd);
  return describePaperEnd({ symbol, changePercent, gainUsd });
}
