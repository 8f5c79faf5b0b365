import { SECOND_MS } from '#schema/constants/time.ts';
import type { Timer } from '../ports/timer.ts';
import { describeError } from '../shared/describe-error.ts';
import { withTimeout } from '../shared/with-timeout.ts';

const TIMER_TIMEOUT_MS = 2 * SECOND_MS;

/** `open` returns a new stub each time, because a stub can't be reused in another request. */
export const createTimer = (open: () => { wakeAt(at: number): Promise<unknown> }): Timer => ({
  async wakeAt(at) {
    try {
      await withTimeout(open().wakeAt(at), TIMER_TIMEOUT_MS);
    } catch (error) {
      console.warn(JSON.stringify({ event: 'timer.unreachable', error: describeError(error) }));
    }
  },
});
