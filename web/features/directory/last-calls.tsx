import type { RecentCall } from '#schema/contracts/callers.ts';
import { Sparkline } from '#web/ui/charts/sparkline.tsx';
import { describeRecord, runningReturn } from './caller-record.ts';

/** The sum of the last calls' changes as a line. */
export function LastCalls({ calls }: { calls: readonly RecentCall[] }) {
  return <Sparkline values={runningReturn(calls)} label={describeRecord(calls)} />;
}
