import type { Metrics } from '../../../ports/metrics.ts';
import type { SendResult } from '../../../ports/messenger.ts';
import type { Channel } from '../../../ports/outbox.ts';

type Outcome = SendResult['status'] | 'failed';

interface Counts {
  readonly count: number;
  readonly longestMs: number;
}

/** How long messages waited: one data point per outcome and flush, because Cloudflare limits them. */
export function createLagMeter({ metrics, channel }: { metrics: Metrics; channel: Channel }) {
  const allCounts = new Map<Outcome, Counts>();
  return {
    note(outcome: Outcome, waitedMs: number): void {
      const { count, longestMs } = allCounts.get(outcome) ?? { count: 0, longestMs: 0 };
      allCounts.set(outcome, { count: count + 1, longestMs: Math.max(longestMs, waitedMs) });
    },

    flush(): void {
      for (const [outcome, { count, longestMs }] of allCounts) {
        metrics.record({ kind: 'message', name: channel, outcome, value: longestMs, count });
      }
      allCounts.clear();
    },
  };
}
