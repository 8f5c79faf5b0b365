import type { CallerProfile } from '#schema/contracts/callers.ts';
import { formatRate } from '#schema/rules/format.ts';
import { rankedSample } from '#schema/rules/ranking-texts.ts';
import { Change } from '#web/ui/change.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { StatBand, StatCard } from '#web/ui/stat-card.tsx';

export function ProfileStats({ caller, activeCount }: { caller: CallerProfile; activeCount: number }) {
  const sample = rankedSample(caller.rankedCalls);
  return (
    <StatBand
      label="Statistics"
      className="mt-6 grid-cols-6 *:col-span-2 *:nth-[-n+2]:col-span-3 max-[23rem]:*:col-span-3 max-[23rem]:*:last:col-span-6 md:grid-cols-5 md:*:col-span-1!"
    >
      <StatCard label="Win Rate" value={formatRate(caller.winRate)} note={sample} />
      <StatCard label="Avg Return" value={<Change percent={caller.avgReturn} />} note={sample} />
      <StatCard
        label="Total Calls"
        value={caller.totalCalls.toLocaleString('en-US')}
        note={`${activeCount} active`}
      />
      <StatCard
        label="Subscribers"
        value={caller.subscriberCount.toLocaleString('en-US')}
        note="active now"
      />
      <StatCard
        label="Last Call"
        value={<RelativeTime at={caller.lastCallTimestamp} missing="–" />}
        note={caller.lastCallTimestamp === null ? 'none ended yet' : 'last ended call'}
      />
    </StatBand>
  );
}
