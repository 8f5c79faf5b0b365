import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { RequestPriority } from '../ports/price-source.ts';
import type { Attempts } from '../shared/attempts.ts';
import { reserveOf } from './rate-limit.ts';

const ACTION = 'source.request';

export type SharedBudget = ReturnType<typeof createSharedBudget>;

interface SharedBudgetOptions {
  readonly source: string;
  readonly perMinute: number;
  readonly attempts: Pick<Attempts, 'take'>;
  readonly clock: Clock;
}

/**
 * A token bucket in the database, one row per source. To save statements under load, an isolate takes the tokens for a
 * second of bulk requests at once.
 */
export function createSharedBudget(options: SharedBudgetOptions) {
  const { source, perMinute, attempts, clock } = options;
  const everyMs = Math.ceil(MINUTE_MS / perMinute);
  const perSecond = Math.max(1, Math.floor((perMinute * SECOND_MS) / MINUTE_MS));
  let stock = { left: 0, until: 0 };
  const take = (count: number, burst: number) =>
    attempts.take({ action: ACTION, person: source, limit: { burst, everyMs }, count });

  return {
    /** Counts a request and returns 0, or the wait in ms if there were too many. Never refuses urgent requests. */
    async take({ isUrgent }: Pick<RequestPriority, 'isUrgent'>): Promise<number> {
      if (isUrgent) {
        // Counted, but never refused: a call must open and end in time, and calls have limits per person.
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
