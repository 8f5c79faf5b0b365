import { z } from 'zod';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import { LeaseLostError, type Lease } from '../../../shared/job-leases.ts';
import { type CheckPart, type CheckStep, type LedgerCheckOptions, timeAndIdSchema } from './check-part.ts';
import { createCheckPayments } from './check-payments.ts';
import type { CheckResults, CheckRow, LedgerProblem } from './ledger-checks.repository.ts';
import { describeError } from '../../../shared/describe-error.ts';

/** Limits of one run: a Worker's subrequests are limited, and the cron's later jobs wait for this one. */
export const COST_PER_RUN = 400;
const RUN_MS = 10 * SECOND_MS;
const RETRY_MS = 10 * MINUTE_MS;
const PROBLEMS_KEPT = 50;
const PERIODS_PER_PAGE = 500;
const CALLERS_PER_PAGE = 200;
/** A page's part of a run's cost: it takes three statements and no chain request. */
const ROWS_COST = 2;

const PARTS = ['overlaps', 'counters', 'payments'] as const;
type PartName = (typeof PARTS)[number];

const progressSchema = z.object({
  day: z.string(),
  part: z.enum(PARTS).nullable(),
  after: z.unknown(),
  alarmedProblems: z.int(),
  isAlarmedLate: z.boolean(),
  retryAt: z.number(),
  error: z.string().nullable().default(null),
});

/** A check's progress, stored as the job's cursor. `part` is `null` once all parts are done. */
type Progress = z.infer<typeof progressSchema>;

/** A run of a check. It holds the lease, so no other run changes `progress` and `results`. */
interface Run {
  readonly lease: Lease;
  readonly row: CheckRow;
  readonly last: CheckRow | null;
  progress: Progress;
  results: CheckResults;
}

export function createLedgerCheckService(options: LedgerCheckOptions) {
  const { checks, leases, clock } = options;
  const takeSteps = createTakeSteps(options);
  const alarms = createAlarms(options);

  /** The unfinished check, or today's new one; `null` if today's is finished. */
  const findOpen = async (): Promise<CheckRow | null> => {
    const now = clock.now();
    const day = toDay(now);
    const newest = await checks.findNewest();
    if (newest?.finishedAt === null) return newest;
    return newest && newest.day >= day ? null : checks.begin(day, now);
  };

  const runOnce = async (lease: Lease) => {
    const row = await findOpen();
    if (!row) return null;
    const run = openRun({ lease, row, last: await checks.findLastFinished() });
    if (run.progress.retryAt > clock.now()) return null;
    await alarms.aboutDelay(run);
    const [outcome] = await Promise.allSettled([takeSteps(run)]);
    const failure: unknown = outcome.status === 'rejected' ? outcome.reason : null;
    if (failure instanceof LeaseLostError) throw failure;
    await alarms.aboutProblems(run);
    if (failure !== null) {
      await alarms.aboutFailure(run, failure);
      run.progress = { ...run.progress, retryAt: clock.now() + RETRY_MS, error: describeError(failure) };
    }
    const isFinished = run.progress.part === null;
    const finishedAt = isFinished ? clock.now() : null;
    await lease.commit({
      statements: [checks.updateStatement(row.day, { ...run.results, finishedAt })],
      cursor: isFinished ? null : JSON.stringify(run.progress),
    });
    if (failure !== null) throw failure;
    return { problems: run.results.problemCount ?? 0, isFinished };
  };

  return {
    /**
     * Begins today's check or continues an unfinished one, within the limits of one run.
     * @returns null if there is nothing to do, or if another run is already doing it
     */
    checkOncePerDay: () => leases.run({ job: 'payments.check', work: runOnce }),
  };
}

function openRun({ lease, row, last }: Pick<Run, 'lease' | 'row' | 'last'>): Run {
  const found = progressSchema.safeParse(JSON.parse(lease.cursor ?? 'null'));
  if (found.success && found.data.day === row.day) {
    const { problemCount, problems } = row;
    return { lease, row, last, progress: found.data, results: { problemCount, problems } };
  }
  return {
    lease,
    row,
    last,
    progress: {
      day: row.day,
      part: PARTS[0],
      after: null,
      alarmedProblems: 0,
      isAlarmedLate: false,
      retryAt: 0,
      error: null,
    },
    results: { problemCount: 0, problems: '[]' },
  };
}

function createTakeSteps(options: LedgerCheckOptions) {
  const { checks, clock } = options;
  const parts: Record<PartName, CheckPart> = {
    overlaps: createCheckOverlaps(options),
    counters: createCheckCounters(options),
    payments: createCheckPayments(options),
  };

  return async (run: Run): Promise<void> => {
    const { lease, row, last } = run;
    const beginsAt = clock.now();
    let cost = 0;
    while (run.progress.part !== null && cost < COST_PER_RUN && clock.now() - beginsAt < RUN_MS) {
      await lease.save();
      const step = await parts[run.progress.part](
        {
          // Starts a day before the last check, because payments that weren't finalized then must be checked again.
          since: last === null ? 0 : last.startedAt - DAY_MS,
          until: row.startedAt,
          countUntil: row.startedAt - DAY_MS,
          extendLease: () => lease.save(),
        },
        run.progress.after,
      );
      cost += step.cost;
      const results = addResults(run.results, step);
      const progress = { ...run.progress, ...positionAfter(run.progress.part, step.next), error: null };
      const update = checks.updateStatement(row.day, { ...results, finishedAt: null });
      await lease.commit({
        statements: [update, ...checks.addEarnedStatements(step.earned ?? [])],
        cursor: JSON.stringify(progress),
      });
      run.results = results;
      run.progress = progress;
    }
  };
}

function positionAfter(part: PartName, next: unknown): Pick<Progress, 'part' | 'after'> {
  if (next !== null) return { part, after: next };
  return { part: PARTS[PARTS.indexOf(part) + 1] ?? null, after: null };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `addResults` wrote them.
const readProblems = ({ problems }: CheckResults) => JSON.parse(problems ?? '[]') as LedgerProblem[];

function addResults(results: CheckResults, { problems }: CheckStep): CheckResults {
  const known = readProblems(results);
  return {
    problemCount: (results.problemCount ?? 0) + problems.length,
    problems: JSON.stringify([...known, ...problems].slice(0, PROBLEMS_KEPT)),
  };
}

/**
 * Each alarm stores in `run.progress` what it has reported. If the run dies before `progress` is stored, the
 * next run raises the alarm again.
 */
function createAlarms({ alarm, clock }: LedgerCheckOptions) {
  return {
    async aboutDelay(run: Run): Promise<void> {
      const { day, part, isAlarmedLate } = run.progress;
      if (isAlarmedLate || clock.now() - run.row.startedAt < DAY_MS) return;
      await alarm({ kind: 'ledger.check_late', details: { day, part } });
      run.progress = { ...run.progress, isAlarmedLate: true };
    },

    /** Raises at most two alarms: one for the first problems, and one at the end if there are more. */
    async aboutProblems(run: Run): Promise<void> {
      const { day, part, alarmedProblems } = run.progress;
      const count = run.results.problemCount ?? 0;
      const isDue = alarmedProblems === 0 || part === null;
      if (!isDue || count <= alarmedProblems) return;
      const first = readProblems(run.results);
      await alarm({ kind: 'ledger.problems', details: { day, count, first } });
      run.progress = { ...run.progress, alarmedProblems: count };
    },

    async aboutFailure({ progress }: Run, error: unknown): Promise<void> {
      const { day, part } = progress;
      await alarm({ kind: 'ledger.check_failed', details: { day, part, error: describeError(error) } });
    },
  };
}

function createCheckOverlaps({ checks }: LedgerCheckOptions): CheckPart {
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

function createCheckCounters({ checks }: LedgerCheckOptions): CheckPart {
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
