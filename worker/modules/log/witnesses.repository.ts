import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../shared/database.ts';

interface Cosignatures {
  readonly size: number;
  readonly at: number;
  readonly lines: readonly { readonly witness: string; readonly line: string }[];
}

export function createWitnessesRepository(db: Database) {
  return {
    async cosignedSizes(witnesses: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await db.all<{ witness: string; size: number | null }>(sql`
        SELECT w.value AS witness, (SELECT MAX(size) FROM log_cosignatures WHERE witness = w.value) AS size
        FROM json_each(${JSON.stringify(witnesses)}) w`);
      return new Map(rows.map(({ witness, size }) => [witness, size ?? 0]));
    },

    async readCursor(): Promise<string | null> {
      const [row] = await db.all<{ cursor: string | null }>(
        sql`SELECT cursor FROM job_leases WHERE job = 'log.witness'`,
      );
      return row?.cursor ?? null;
    },

    store: ({ size, at, lines }: Cosignatures): SQL => sql`
      INSERT INTO log_cosignatures (witness, size, line, at)
      SELECT value ->> 'witness', ${size}, value ->> 'line', ${at}
      FROM json_each(${JSON.stringify(lines)})
      WHERE true
      ON CONFLICT DO NOTHING`,

    async listLines(size: number, witnesses: readonly string[]): Promise<string[]> {
      const rows = await db.all<{ line: string }>(sql`
        SELECT c.line
        FROM json_each(${JSON.stringify(witnesses)}) w
        CROSS JOIN log_cosignatures c ON c.witness = w.value AND c.size = ${size}`);
      return rows.map(({ line }) => line);
    },
  };
}
