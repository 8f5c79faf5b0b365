import type { CallerProfile } from '#schema/contracts/callers.ts';
import { formatCount, formatRate } from '#schema/rules/text/format.ts';
import { provenProgress, rankedSample } from '#schema/rules/calls/ranking-texts.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { ExplainProven } from '#web/ui/overlays/explain-proven.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';

/** Three large figures to compare callers by, and small figures with context. */
export function ProfileStats({ caller, activeCount }: { caller: CallerProfile; activeCount: number }) {
  const sample = rankedSample(caller.rankedCalls);
  return (
    <StatBand label="Statistics" className="mt-6 grid-cols-2 min-[23rem]:grid-cols-3">
      <StatCard label="Win Rate" value={formatRate(caller.winRate)} note={sample} isLarge />
      <StatCard label="Avg Return" value={<Change percent={caller.avgReturn} />} note={sample} isLarge />
      <StatCard
        label={<ExplainProven />}
        value={<Change percent={caller.proven} />}
        note={caller.proven === null ? provenProgress(caller) : 'per call for followers'}
        isLarge
      />
      <StatCard label="Total Calls" value={formatCount(caller.totalCalls)} note={`${activeCount} active`} />
      <StatCard label="Subscribers" value={formatCount(caller.subscriberCount)} note="active now" />
      <StatCard
        label="Last Call"
        value={<RelativeTime at={caller.lastCallTimestamp} missing="–" />}
        note={caller.lastCallTimestamp === null ? 'none ended yet' : 'last ended call'}
      />
    </StatBand>
  );
}
