import type { RecentCall } from '#schema/contracts/callers.ts';
import { Sparkline } from '#web/ui/charts/sparkline.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { describeRecord, runningReturn } from './caller-record.ts';

/** The sum of the last calls' changes as a line, and their average below it, which always has the line's direction. */
export function LastCalls({ calls }: { calls: readonly RecentCall[] }) {
  if (calls.length === 0) return null;
  const values = runningReturn(calls);
  return (
    <span className="note figures shrink-0 text-right">
      <Sparkline values={values} label={describeRecord(calls)} className="ml-auto block" />
      Last {calls.length}: <Change percent={(values.at(-1) ?? 0) / calls.length} />
    </span>
  );
}
