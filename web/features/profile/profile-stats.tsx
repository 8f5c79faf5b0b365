import type { CallerProfile } from '#schema/contracts/callers.ts';
import { provenText, rankedSample } from '#schema/rules/calls/ranking-texts.ts';
import { formatCount, formatRate, pluralize } from '#schema/rules/text/format.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';
import { ExplainProven } from '#web/ui/overlays/explain-proven.tsx';

export function ProfileStats({ caller, activeCount }: { caller: CallerProfile; activeCount: number }) {
  const { followerCalls } = caller;
  const sample = rankedSample(caller.rankedCalls);
  const unranked = caller.endedCalls - caller.rankedCalls;
  return (
    <StatBand label="Statistics" className={LAYOUT}>
      <StatCard
        label="Follower Return"
        value={<Change percent={caller.followerReturn} />}
        note={followerCalls === 0 ? 'no call to copy yet' : `of ${pluralize(followerCalls, 'copied call')}`}
      />
      <StatCard
        label={<ExplainProven />}
        value={<Change percent={caller.proven} />}
        note={provenText(caller)}
      />
      <StatCard label="Win Rate" value={formatRate(caller.winRate)} note={sample} />
      <StatCard label="Avg Return" value={<Change percent={caller.avgReturn} />} note={sample} />
      <StatCard
        label="Total Calls"
        value={formatCount(caller.totalCalls)}
        note={unranked > 0 ? `${activeCount} active, ${unranked} unranked` : `${activeCount} active`}
      />
      <StatCard
        label="Subscribers"
        value={formatCount(caller.subscriberCount)}
        note={`and ${pluralize(caller.followerCount, 'follower')}`}
      />
      <StatCard
        label="Last Call"
        value={<RelativeTime at={caller.lastCallTimestamp} missing="–" />}
        note={caller.lastCallTimestamp === null ? 'none ended yet' : 'last ended call'}
      />
    </StatBand>
  );
}

/** On a phone two returns or three counts a row, on a tablet all returns above all counts. */
const LAYOUT = classNames(
  'mt-4 grid-cols-6 *:col-span-2 *:max-md:py-1.5 md:grid-cols-12 md:*:col-span-4 lg:*:col-span-1',
  'lg:grid-cols-[1.6fr_1.6fr_1fr_1fr_1fr_1fr_1fr]',
  'max-lg:[&>:nth-child(-n+4)]:col-span-3',
);
