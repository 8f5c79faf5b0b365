import { FOLLOWER_RECORD_DELAY_MS, FOLLOWER_STAKES_USD } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { resultsByStake, type FollowerRule } from '#schema/rules/calls/follower-return.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { hasEnded, type EndedCall } from '#web/lib/calls/ended-call.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';

const minutes = FOLLOWER_RECORD_DELAY_MS / MINUTE_MS;

const rules: Readonly<Record<FollowerRule, string>> = {
  marks:
    'What a follower made who bought and sold one minute later. It is never more than what counts for the caller.',
  ended_at_zero: 'The call ended at 0.',
  no_liquidity: 'The token had no liquidity left one minute after the end.',
  loss_without_mark: "No source had a usable price one minute later, so the call's own loss counts.",
  gain_without_mark: 'No result: no source had a usable price one minute later.',
};

export function CallFollowers({ call }: { call: CallDetail }) {
  if (!hasEnded(call)) return null;
  const { follower } = call;
  return (
    <section>
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 className="text-base font-semibold">Follower Result</h2>
        <HowWeCount hash="follower-return" className="inline-flex min-h-11 items-center md:min-h-0" />
      </div>
      {follower !== null && follower.percent !== null && (
        <StatBand label="Follower Result by stake" className="mt-2 grid-cols-3">
          {resultsByStake(followedCall(call)).map((percent, index) => (
            <StatCard
              key={FOLLOWER_STAKES_USD[index]}
              label={`With ${formatUsd(FOLLOWER_STAKES_USD[index] ?? 0)}`}
              value={<Change percent={percent} />}
            />
          ))}
        </StatBand>
      )}
      <p className="mt-2 text-sm text-text-muted">
        {follower === null
          ? `The result appears about ${minutes} minutes after the end.`
          : rules[follower.rule]}
      </p>
    </section>
  );
}

function followedCall(call: CallDetail & EndedCall) {
  const markOf = (side: 'open' | 'end') => call.marks.find((each) => each.side === side) ?? null;
  const { endPrice, changePercent = 0, uncountedGainReason } = call;
  const countedChange = uncountedGainReason === null ? changePercent : 0;
  return { endPrice, changePercent, countedChange, open: markOf('open'), end: markOf('end') };
}
