import type { Metrics } from '../../../ports/metrics.ts';
import type { SendResult } from '../../../ports/messenger.ts';
import type { Channel } from '../../../ports/outbox.ts';

type Outcome = SendResult['status'] | 'failed';

interface Tally {
  readonly count: number;
  /** The longest time that a message waited, in ms. */
  readonly longestMs: number;
}

/** Measures how long messages waited. One point per outcome and flush, because a Worker's points are limited. */
export function createLagMeter({ metrics, channel }: { metrics: Metrics; channel: Channel }) {
  const tallies = new Map<Outcome, Tally>();
  return {
    note(outcome: Outcome, waitedMs: number): void {
      const { count, longestMs } = tallies.get(outcome) ?? { count: 0, longestMs: 0 };
      tallies.set(outcome, { count: count + 1, longestMs: Math.max(longestMs, waitedMs) });
    },

    flush(): void {
      for (const [outcome, { count, longestMs }] of tallies) {
        metrics.record({ kind: 'message', name: channel, outcome, value: longestMs, count });
      }
      tallies.clear();
    },
  };
}
