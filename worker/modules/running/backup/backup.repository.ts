import { sql } from 'drizzle-orm';
import { runBatch, type Database } from '../../../shared/database.ts';
import { backedUpTables, keyOf } from './backup-tables.ts';
import type { PaymentFile, Row } from './backup-files.ts';

export type Position = readonly (string | number)[];

export interface PageQuery {
  readonly table: string;
  readonly after: Position | null;
  readonly limit: number;
}

const ROW_ID = '_rowid';

/** Reads whole tables in pages, in the order of their keys. */
export function createBackupRepository(db: Database) {
  const query = async (statement: string, values: readonly unknown[] = []) => {
    const { results } = await db.$client
      .prepare(statement)
      .bind(...values)
      .all();
    return results;
  };

  return {
    /** @returns the tables that have rows */
    async listTables(): Promise<string[]> {
      const all = backedUpTables();
      const exists = all.map((table) => `EXISTS (SELECT 1 FROM "${table}") AS "${table}"`);
      const [row = {}] = await query(`SELECT ${exists.join(', ')}`);
      return all.filter((table) => row[table] === 1);
    },

    /** Reads the rows of a payment's subscriber and caller. */
    async readPeople({
      userId,
      callerId,
    }: {
      userId: string;
      callerId: string;
    }): Promise<Partial<PaymentFile>> {
      const [users = [], callers = []] = await runBatch(db, [
        sql`SELECT * FROM users WHERE id IN (${userId}, ${callerId})`,
        sql`SELECT * FROM callers WHERE caller_id = ${callerId}`,
      ]);
      return { users, callers };
    },

    async findNewestMigration(): Promise<string> {
      const [row] = await query('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1');
      return String(row?.['name']);
    },

    async readPage({ table, after, limit }: PageQuery): Promise<{ rows: Row[]; last: Position }> {
      const key = keyOf(table);
      const order = key?.join(', ') ?? 'rowid';
      const isAfter = after === null ? '' : `WHERE (${order}) > (${after.map(() => '?').join(', ')})`;
      const columns = key ? '*' : `rowid AS ${ROW_ID}, *`;
      const found = await query(
        `SELECT ${columns} FROM "${table}" ${isAfter} ORDER BY ${order} LIMIT ${limit}`,
        after ?? [],
      );
      const lastRow = found.at(-1) ?? {};
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Keys are texts and numbers.
      const last = (key ?? [ROW_ID]).map((column) => lastRow[column] as string | number);
      const rows = found.map(({ [ROW_ID]: _rowId, ...row }) => row);
      return { rows, last };
    },
  };
}
