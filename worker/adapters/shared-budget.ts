import { MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../ports/clock.ts';
import type { RequestPriority } from '../ports/price-source.ts';
import type { Attempts } from '../shared/attempts.ts';
import { reserveOf } from './rate-limit.ts';

const ACTION = 'source.request';

/** The requests to one source that all isolates may send together. */
export interface SharedBudget {
  /** Counts a request and returns 0. If there were too many, returns how long to wait (ms). Never refuses urgent ones. */
  take(priority: RequestPriority): Promise<number>;
}

interface SharedBudgetOptions {
  readonly source: string;
  readonly perMinute: number;
  readonly attempts: Pick<Attempts, 'take'>;
  readonly clock: Clock;
}

/**
 * A token bucket in the database, one row per source. A statement per request would be expensive under load, so an
 * isolate takes the bulk requests of a second at once.
 */
export function createSharedBudget({
  source,
  perMinute,
  attempts,
  clock,
}: SharedBudgetOptions): SharedBudget {
  const everyMs = Math.ceil(MINUTE_MS / perMinute);
  const perSecond = Math.max(1, Math.floor((perMinute * SECOND_MS) / MINUTE_MS));
  let stock = { left: 0, until: 0 };
  const take = (count: number, burst: number) =>
    attempts.take({ action: ACTION, person: source, limit: { burst, everyMs }, count });

  return {
    async take({ isUrgent }) {
      if (isUrgent) {
        // Counted, but not refused: calls have limits per person, and a call must open and end in time.
        await take(1, 2 * perMinute);
        return 0;
      }
      if (stock.left > 0 && stock.until > clock.now()) {
        stock = { ...stock, left: stock.left - 1 };
        return 0;
      }
      const burst = Math.max(1, perMinute - reserveOf(perMinute));
      if (perSecond > 1 && (await take(perSecond, burst)) === 0) {
        stock = { left: perSecond - 1, until: clock.now() + SECOND_MS };
        return 0;
      }
      return take(1, burst);
    },
  };
}
