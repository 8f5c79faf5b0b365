import { SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';

/** Unused sends of this time may be sent in a burst. It covers the queries between two batches. */
const BURST_MS = 200;

/** Token bucket: `perSecond` sends, plus a burst of at most 200 ms of unused ones. Calls of `take` must not overlap. */
export function createPacer({ clock, perSecond }: { clock: Clock; perSecond: number }) {
  const interval = SECOND_MS / perSecond;
  // No burst at the start, because another instance may have sent messages just before.
  let nextAt = clock.now();

  return {
    async take(): Promise<void> {
      nextAt = Math.max(nextAt, clock.now() - BURST_MS);
      if (nextAt > clock.now()) await clock.sleep(nextAt - clock.now());
      nextAt += interval;
    },
    giveBack(): void {
      nextAt -= interval;
    },
  };
}
