import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { sql, type SQLWrapper } from 'drizzle-orm';
import type { RestoreDatabase } from './restore.ts';
import {
  deletionStatements,
  lastOfSlice,
  requestStatements,
  sliceStatements,
} from '#worker/modules/people/account/deletion-statements.repository.ts';

interface DeleteAgainOptions {
  /** A restored database with all migrations, not yet in use. */
  readonly db: RestoreDatabase;
  readonly userIds: readonly string[];
  readonly now: number;
}

const dialect = new SQLiteSyncDialect();

/**
 * Deletes accounts that a backup restored, even those with calls that are open in the backup. If it fails, restore
 * again.
 * @returns the number of accounts that were in the backup
 */
export async function deleteAgain({ db, userIds, now }: DeleteAgainOptions): Promise<number> {
  const { run, runAll } = createRunner(db);
  let deleted = 0;
  for (const userId of new Set(userIds)) {
    const found = (await runAll(deletionStatements({ userId, now, mayHaveOpenCalls: true }))).at(-1) ?? [];
    deleted += found.length;
    for (let from: number | null = 0; from !== null && found.length > 0;) {
      const [row] = (await run(lastOfSlice({ userId, from }))) as { called_at: number }[];
      await runAll(sliceStatements({ userId, from, last: row?.called_at ?? null, now }));
      from = row?.called_at ?? null;
    }
  }
  return deleted;
}

/**
 * Repeats the requests for a deletion at a later time that were made after the backup.
 * @returns the number of accounts that will be deleted later
 */
export async function requestAgain({ db, userIds, now }: DeleteAgainOptions): Promise<number> {
  const { run, runAll } = createRunner(db);
  let requested = 0;
  for (const userId of userIds) {
    const live = await run(sql`SELECT 1 FROM users WHERE live_id = ${userId}`);
    if (live.length > 0) requested += (await runAll(requestStatements({ userId, now }))).at(-1)?.length ?? 0;
  }
  return requested;
}

function createRunner(db: RestoreDatabase) {
  const run = async (statement: SQLWrapper): Promise<readonly unknown[]> => {
    const query = dialect.sqlToQuery(statement.getSQL());
    const { results = [] } = await db
      .prepare(query.sql)
      .bind(...query.params)
      .all();
    return results;
  };
  const runAll = async (statements: readonly SQLWrapper[]) => {
    const results: (readonly unknown[])[] = [];
    for (const statement of statements) results.push(await run(statement));
    return results;
  };
  return { run, runAll };
}
