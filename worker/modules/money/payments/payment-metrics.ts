import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Database } from '../../../shared/database.ts';
import type { JobLeases } from '../../../shared/job-leases.ts';

/** Per run. More than that wait for the next runs. */
const MAX_ENTRIES = 1_000;

const TABLES = {
  ledger: { from: sql`payment_ledger`, state: sql`kind` },
  orphans: { from: sql`payment_orphans`, state: sql`'orphaned'` },
} as const;

/** The rowid of the last measured row of each table. */
const positionSchema = z.object({ ledger: z.int(), orphans: z.int() });
type Position = z.infer<typeof positionSchema>;

interface PaymentMetricsOptions {
  readonly db: Database;
  readonly leases: JobLeases;
  readonly metrics: Metrics;
}

/** Measures how many payments got each state: the ledger's kinds, and `orphaned`. */
export function createPaymentMetrics({ db, leases, metrics }: PaymentMetricsOptions) {
  /** Both tables only grow, so the new rows are those with a higher rowid. */
  const readNew = async (table: keyof Position, after: number) => {
    const { from, state } = TABLES[table];
    return db.all<{ state: string; count: number; last: number }>(sql`
      SELECT state, COUNT(*) AS count, MAX(rowid) AS last
      FROM (
        SELECT rowid, ${state} AS state FROM ${from}
        WHERE rowid > ${after}
        ORDER BY rowid
        LIMIT ${MAX_ENTRIES})
      GROUP BY state`);
  };

  const newest = async (table: keyof Position): Promise<number> => {
    const [row] = await db.all<{ last: number | null }>(
      sql`SELECT MAX(rowid) AS last FROM ${TABLES[table].from}`,
    );
    return row?.last ?? 0;
  };

  const measure = async (table: keyof Position, after: number) => {
    const found = await readNew(table, after);
    return { found, last: Math.max(after, ...found.map(({ last }) => last)) };
  };

  return {
    /** Continues behind the last measured payment. The first run measures nothing. */
    measure: (): Promise<Record<string, number> | null> =>
      leases.run({
        job: 'payments.measure',
        work: async (lease) => {
          const known = positionSchema.safeParse(JSON.parse(lease.cursor ?? 'null'));
          const after = known.success
            ? known.data
            : { ledger: await newest('ledger'), orphans: await newest('orphans') };
          const ledger = await measure('ledger', after.ledger);
          const orphans = await measure('orphans', after.orphans);
          const position: Position = { ledger: ledger.last, orphans: orphans.last };
          if (!known.success || ledger.last > after.ledger || orphans.last > after.orphans) {
            await lease.commit({ cursor: JSON.stringify(position) });
          }
          const counts = [...ledger.found, ...orphans.found];
          for (const { state, count } of counts) {
            metrics.record({ kind: 'payment', name: state, outcome: '', value: count });
          }
          return counts.length === 0
            ? null
            : Object.fromEntries(counts.map(({ state, count }) => [state, count]));
        },
      }),
  };
}
