import { FOLLOWER_STAKE_USD } from '#schema/constants.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { pluralize, formatRate, formatUsd } from '#schema/rules/text/format.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';

/** The figures of followers who bought a minute after each call and sold a minute after its end. */
export function FollowerRecord({ caller }: { caller: CallerProfile }) {
  const { followerReturn, followerWinRate, followerCalls, rankedCalls } = caller;
  if (rankedCalls === 0) return null;
  if (followerCalls === 0) {
    return (
      <p className="mt-4 text-sm text-text-muted">
        No follower return yet: no ranked call has prices from a minute after it was made and a minute after
        it ended.
      </p>
    );
  }
  const sample = `of ${followerCalls} of ${pluralize(rankedCalls, 'ranked call')}`;
  return (
    <StatBand label="Follower figures" className="mt-4 grid-cols-2">
      <StatCard
        label="Follower Return"
        value={<Change percent={followerReturn} />}
        note={`median ${sample}, 1 min later with ${formatUsd(FOLLOWER_STAKE_USD)}`}
      />
      <StatCard label="Followers Won" value={formatRate(followerWinRate)} note={sample} />
    </StatBand>
  );
}
