import { z } from 'zod';
import { timeAndIdSchema, type CheckPart, type LedgerCheckOptions } from './check-part.ts';

const PERIODS_PER_PAGE = 500;
const CALLERS_PER_PAGE = 200;
/** A page's part of a run's cost: it takes three statements and no chain request. */
const ROWS_COST = 2;

/** Finds paid periods that overlap another period of the same subscriber and caller. */
export function createCheckOverlaps({ checks }: LedgerCheckOptions): CheckPart {
  return async ({ until }, after) => {
    const page = await checks.listPaidPeriods({
      now: until,
      after: timeAndIdSchema.parse(after),
      limit: PERIODS_PER_PAGE,
    });
    return {
      problems: page
        .filter(({ overlaps }) => overlaps)
        .map(({ id }) => ({ problem: 'period.overlaps', subject: id })),
      next: nextOf(page, PERIODS_PER_PAGE, ({ at, id }) => ({ at, id })),
      cost: ROWS_COST,
    };
  };
}

/** Compares the counters of recently paid callers with their payments and subscriptions. */
export function createCheckCounters({ checks }: LedgerCheckOptions): CheckPart {
  return async ({ since }, after) => {
    const page = await checks.listCounters({
      since,
      after: z.string().nullable().parse(after),
      limit: CALLERS_PER_PAGE,
    });
    return {
      problems: page
        .filter(({ isWrong }) => isWrong)
        .map(({ id }) => ({ problem: 'caller.counters', subject: id })),
      next: nextOf(page, CALLERS_PER_PAGE, ({ id }) => id),
      cost: ROWS_COST,
    };
  };
}

function nextOf<Row>(page: readonly Row[], limit: number, positionOf: (last: Row) => unknown): unknown {
  const last = page.at(-1);
  return page.length < limit || last === undefined ? null : positionOf(last);
}
