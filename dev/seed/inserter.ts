import { getTableColumns } from 'drizzle-orm';
import type { drizzle, AnyD1Database } from 'drizzle-orm/d1';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

export type LocalD1 = AnyD1Database;

const D1_MAX_PARAMETERS = 100;

/** Inserts many rows, each statement within D1's limit of 100 parameters. */
export function createInserter(db: ReturnType<typeof drizzle>) {
  return async <Table extends SQLiteTable>(
    table: Table,
    rows: readonly Table['$inferInsert'][],
  ): Promise<void> => {
    const perStatement = Math.floor(D1_MAX_PARAMETERS / Object.keys(getTableColumns(table)).length);
    const statements = [];
    for (let start = 0; start < rows.length; start += perStatement) {
      statements.push(db.insert(table).values(rows.slice(start, start + perStatement)));
    }
    const [first, ...rest] = statements;
    if (first) await db.batch([first, ...rest]);
  };
}

export type Insert = ReturnType<typeof createInserter>;
