import { FOLLOWER_STAKE_USD } from '#schema/constants.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';

/** Returns of followers who bought a minute after each call and sold a minute after its end. */
export function FollowerRecord({ caller }: { caller: CallerProfile }) {
  const { followerReturn, followerCalls, callsWithoutResult } = caller;
  const recorded = followerCalls + callsWithoutResult;
  if (recorded === 0) return null;
  return (
    <>
      <StatBand label="Follower figures" className="mt-4">
        <StatCard
          label="Follower Return"
          value={<Change percent={followerReturn} />}
          note={`mean of ${pluralize(followerCalls, 'result')}, 1 min later with ${formatUsd(FOLLOWER_STAKE_USD)}`}
        />
      </StatBand>
      {callsWithoutResult > 0 && (
        <p className="mt-2 text-xs text-text-muted">
          {callsWithoutResult} of the newest {pluralize(recorded, 'ranked call')}{' '}
          {callsWithoutResult === 1 ? 'has' : 'have'} no result, because we have no price from a minute later.
        </p>
      )}
    </>
  );
}
