import { beforeEach, expect, inject, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { createAccessEnvironment, type AccessEnvironment } from '#test/access/access-environment.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertManyRows } from '#test/database/many-rows.ts';
import { resetStorage } from '#test/database/storage.ts';
import { createAnchorKey, fundAnchors } from '#test/payments/anchors.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { MEASURED_COSTS } from '#test/measured-costs.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { runEveryMinute, runJob } from './every-minute.cron.ts';

/** D1 allows 1,000 queries per invocation. */
const MAX_STATEMENTS = 900;
/** The 1,000 follower results of a run write up to 16,000 of these. */
const MAX_WRITTEN_PER_MINUTE = 55_000;
/** Rows per table. */
const COUNTS = inject('isDeep') ? [1_000, 10_000] : [1_000];

interface Cost {
  readonly invocation: string;
  statements: number;
  read: number;
  written: number;
  /** Statements, requests to other hosts, and operations of KV and R2. */
  subrequests: number;
}

let cost: Cost;
let costs: Cost[];

beforeEach(() => {
  for (const level of ['log', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue();
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((...request) => {
    cost.subrequests += 1;
    return fetch(...request);
  });
  begin('cron');
});

function begin(invocation: string): void {
  cost = { invocation, statements: 0, read: 0, written: 0, subrequests: 0 };
}

interface Measured {
  readonly app: TestApp;
  readonly environment: AccessEnvironment;
}

/** The whole product with `count` rows in each table. */
async function createMeasuredApp(count: number): Promise<Measured> {
  await resetStorage();
  const environment = await createAccessEnvironment();
  await insertManyRows({ environment, count });
  const DB = countRows(testEnv.DB, ({ rows, written }) => {
    cost.statements += 1;
    cost.read += rows;
    cost.written += written;
    cost.subrequests += 1;
  });
  const LOG_ANCHOR_KEY = createAnchorKey();
  const [PRICES, BACKUPS] = [countCalls(testEnv.PRICES), countCalls(testEnv.BACKUPS)];
  const app = await createTestApp({ bindings: { ...NO_LIMITS, DB, PRICES, BACKUPS, LOG_ANCHOR_KEY } });
  await fundAnchors(app, { key: LOG_ANCHOR_KEY });
  return { app, environment };
}

/** Inserts free periods that end in three days, which is between two reminders. */
const insertEnds = ({ app, environment: { subscriber, freeCaller } }: Measured, count: number) =>
  query(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
     SELECT 'ending-' || i, u.id, ?2, ?3, ?3 + ${3 * DAY_MS} + i, 'active', ?3
     FROM n JOIN (SELECT ROW_NUMBER() OVER () AS number, id FROM users WHERE id NOT IN (?2, ?4)) u ON u.number = n.i`,
    count,
    freeCaller.id,
    app.clock.now(),
    subscriber.id,
  );

const countCalls = <Binding extends object>(binding: Binding): Binding =>
  new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        cost.subrequests += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });

/** Runs the cron for a minute. Returns what each invocation costs: the cron's own, and one for each job. */
async function runMinute({ services, advance }: TestApp): Promise<Cost[]> {
  begin('cron');
  const cron = cost;
  costs = [cron];
  await runEveryMinute({
    services,
    async runJob(due) {
      begin(due.job);
      costs.push(cost);
      const outcome = await runJob(services, due);
      cost = cron;
      return outcome;
    },
  });
  await advance(MINUTE_MS);
  return costs;
}

const sum = (all: readonly Cost[], of: Exclude<keyof Cost, 'invocation'>) =>
  all.reduce((total, each) => total + each[of], 0);

/** The product at a noon at which nothing is due: no call is open, and all past work is done. */
async function createIdleApp(count: number): Promise<TestApp> {
  const measured = await createMeasuredApp(count);
  const { app } = measured;
  // After three days, the daily check no longer requests the inserted payments, which aren't on the chain.
  const days = Math.ceil(app.clock.now() / DAY_MS) + 3;
  await app.advance((days + 0.5) * DAY_MS - app.clock.now());
  await insertEnds(measured, count);
  const now = app.clock.now();
  for (const statement of [
    "UPDATE calls SET ended_at = called_at, end_price = '1', change_percent = 0 WHERE ended_at IS NULL",
    "UPDATE calls SET follower_rule = 'gain_without_mark' WHERE follower_rule IS NULL",
    'UPDATE call_holdings SET due_at = NULL',
    'DELETE FROM active_mints',
    'DELETE FROM unpriced_mints',
    'DELETE FROM level_checks',
    `DELETE FROM subscriptions WHERE payment_id IS NULL AND ends_at < ${now}`,
    `DELETE FROM sessions WHERE expires_at < ${now}`,
    'DELETE FROM devices WHERE at = 1',
    'DELETE FROM facts',
    `DELETE FROM attempts WHERE full_at < ${now}`,
    // Marks the daily check as done, because it would request these payments from the chain.
    `INSERT INTO ledger_checks (day, started_at, finished_at)
     VALUES (date(${now / 1000}, 'unixepoch'), ${now}, ${now})
     ON CONFLICT DO UPDATE SET finished_at = excluded.finished_at`,
  ]) {
    await query(statement);
  }
  for (let quiet = 0; quiet < 3;) quiet = sum(await runMinute(app), 'written') === 0 ? quiet + 1 : 0;
  return app;
}

it.each(COUNTS)(
  'no cron invocation of a busy minute exceeds its limits, with %i rows in each table',
  async (count) => {
    const { app } = await createMeasuredApp(count);
    let mostJobs = 0;
    for (let minute = 0; minute < 3; minute += 1) {
      const all = await runMinute(app);
      mostJobs = Math.max(mostJobs, all.length);
      expect(all.filter(({ statements }) => statements > MAX_STATEMENTS)).toEqual([]);
      expect(sum(all, 'written')).toBeLessThanOrEqual(MAX_WRITTEN_PER_MINUTE);
    }
    expect(mostJobs).toBeGreaterThan(10);
  },
);

const { hour: idleHour, night, nightPerThousand } = MEASURED_COSTS.idle;
const KINDS = ['read', 'written', 'queries'] as const;

/** Runs the cron for some minutes. Returns the cost of each minute's invocations. */
async function runMinutes(app: TestApp, count: number): Promise<Cost[][]> {
  const minutes: Cost[][] = [];
  for (let minute = 0; minute < count; minute += 1) minutes.push(await runMinute(app));
  return minutes;
}

function sumOf(minutes: readonly Cost[][]): Record<(typeof KINDS)[number], number> {
  const all = minutes.flat();
  return { read: sum(all, 'read'), written: sum(all, 'written'), queries: sum(all, 'statements') };
}

it.runIf(inject('isDeep')).each(COUNTS)(
  'an idle hour and day of the cron cost what docs/SCALE.md assumes, with %i rows in each table',
  async (count) => {
    const minutes = await runMinutes(await createIdleApp(count), DAY_MS / MINUTE_MS);
    const firstHour = minutes.slice(0, HOUR_MS / MINUTE_MS);
    const [hour, day] = [sumOf(firstHour), sumOf(minutes)];
    for (const kind of KINDS) {
      expect(hour[kind] / idleHour[kind]).toBeCloseTo(1, 1);
      const assumed = 24 * idleHour[kind] + night[kind] + (count / 1_000) * nightPerThousand[kind];
      expect(day[kind] / assumed).toBeCloseTo(1, 1);
    }
    const idle = firstHour.filter((all) => sum(all, 'written') === 0);
    expect(idle.length).toBeGreaterThanOrEqual(firstHour.length / 2);
    expect(Math.max(...idle.map((all) => sum(all, 'statements')))).toBeLessThanOrEqual(12);
    expect(Math.max(...idle.map((all) => sum(all, 'read')))).toBeLessThanOrEqual(200);
  },
);
