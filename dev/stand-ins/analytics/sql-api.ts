import { DatabaseSync } from 'node:sqlite';
import { Hono } from 'hono';

export const localAnalytics = {
  accountId: 'a0'.repeat(16),
  token: 'local-analytics-token',
  dataset: 'metrics',
} as const;

/** As the product passes it to `writeDataPoint`. `at` is unix ms; default: now. */
export interface DataPoint {
  readonly indexes: readonly string[];
  readonly blobs: readonly string[];
  readonly doubles: readonly number[];
  readonly at?: number | undefined;
}

export type Analytics = ReturnType<typeof createAnalytics>;

const SECONDS = { MINUTE: 60, HOUR: 3_600, DAY: 86_400 } as const;
const COLUMNS = { blobs: 3, doubles: 2 } as const;

/**
 * The part of Analytics Engine that the product uses, in SQLite. Nothing is sampled. Its dialect is ClickHouse's, so
 * intervals and quantiles are rewritten.
 */
export function createAnalytics({ now }: { now: () => number }) {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE ${localAnalytics.dataset} (
      timestamp INTEGER, _sample_interval INTEGER, index1 TEXT, blob1 TEXT, blob2 TEXT, blob3 TEXT, double1 REAL, double2 REAL)`);
  database.function('NOW', () => Math.floor(now() / 1_000));
  database.function('toUInt32', (value) => value);
  database.function('intDiv', (value, by) => Math.floor(Number(value) / Number(by)));
  database.aggregate('quantileExactWeighted', {
    start: '',
    // The level, then each value, repeated by its weight.
    step: (state, level, value, weight) =>
      `${String(state) === '' ? String(level) : String(state)}${` ${String(value)}`.repeat(Number(weight))}`,
    result: (state) => {
      const [level = 0, ...values] = String(state).split(' ').map(Number);
      const sorted = values.toSorted((one, other) => one - other);
      return sorted[Math.min(sorted.length - 1, Math.floor(level * sorted.length))] ?? null;
    },
  });
  const insert = database.prepare(`INSERT INTO ${localAnalytics.dataset} VALUES (?, 1, ?, ?, ?, ?, ?, ?)`);

  return {
    write(points: readonly DataPoint[]): void {
      for (const { indexes, blobs, doubles, at = now() } of points) {
        insert.run(
          Math.floor(at / 1_000),
          indexes[0] ?? '',
          ...Array.from({ length: COLUMNS.blobs }, (_, index) => blobs[index] ?? ''),
          ...Array.from({ length: COLUMNS.doubles }, (_, index) => doubles[index] ?? 0),
        );
      }
    },
    clear: () => database.exec(`DELETE FROM ${localAnalytics.dataset}`),
    /** @throws for SQL that it doesn't understand */
    query: (sql: string) => database.prepare(toSqlite(sql)).all(),
  };
}

function toSqlite(sql: string): string {
  const isKnown = /^\s*SELECT\b/.test(sql) && /\bFORMAT JSON\s*$/.test(sql);
  if (!isKnown) throw new Error('only SELECT ... FORMAT JSON');
  return sql
    .replace(/\bFORMAT JSON\s*$/, '')
    .replace(/INTERVAL '(\d+)' (MINUTE|HOUR|DAY)/g, (_, count: string, unit: keyof typeof SECONDS) =>
      String(Number(count) * SECONDS[unit]),
    )
    .replace(/quantileExactWeighted\(([\d.]+)\)\(/g, 'quantileExactWeighted($1, ');
}

const REFUSED = { success: false, errors: [{ code: 10_000, message: 'Authentication error' }] };

/** `POST /client/v4/accounts/{id}/analytics_engine/sql`. 64-bit integers are strings, as in the real responses. */
export function createAnalyticsRoutes({ analytics }: { analytics: Analytics }): Hono {
  return new Hono().post('/client/v4/accounts/:account/analytics_engine/sql', async (c) => {
    const isAllowed =
      c.req.header('Authorization') === `Bearer ${localAnalytics.token}` &&
      c.req.param('account') === localAnalytics.accountId;
    if (!isAllowed) return c.json(REFUSED, 403);
    const sql = await c.req.text();
    try {
      const rows = analytics.query(sql);
      const data = rows.map((row) => ({ ...row, at: String(row['at']) }));
      return c.json({ meta: [], data, rows: data.length, rows_before_limit_at_least: data.length });
    } catch (error) {
      return c.text(`unable to parse SQL: ${String(error)}`, 422);
    }
  });
}
