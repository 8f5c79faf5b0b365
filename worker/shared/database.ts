import { AsyncLocalStorage } from 'node:async_hooks';
import type { SQLWrapper } from 'drizzle-orm';
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';

export type Database = DrizzleD1Database & { $client: D1Database };

const replicaSession = new AsyncLocalStorage<D1DatabaseSession>();

/**
 * Lets the databases in `run` read from any replica, which may be seconds behind the primary. Later reads in the same
 * `run` are never older than earlier ones. Writes go to the primary.
 */
export function readFromReplica<Result>(binding: D1Database, run: () => Promise<Result>): Promise<Result> {
  return replicaSession.run(binding.withSession('first-unconstrained'), run);
}

const openWay = new AsyncLocalStorage<string>();

/**
 * Batches within `run` fail and change nothing once this session, API key or calling chat has ended: a request that was
 * accepted before must not act afterwards.
 * @param way the hash of a session or key, or a chat's number
 */
export const whileOpen = <Result>(way: string, run: () => Promise<Result>): Promise<Result> =>
  openWay.run(way, run);

/** For a request that has ended its own session. */
export const afterItsEnd = <Result>(run: () => Promise<Result>): Promise<Result> => openWay.run('', run);

/** Fails with this message unless the way is open, because 'ended' is no JSON. */
const ENDED = 'malformed JSON';
const ASSERT_OPEN = `
  SELECT json(iif(
    EXISTS (SELECT 1 FROM sessions WHERE token_hash = ?1)
    OR EXISTS (SELECT 1 FROM api_keys WHERE token_hash = ?1)
    OR EXISTS (SELECT 1 FROM telegram_links WHERE chat_id = ?1 AND can_call = 1),
    1,
    'ended'
  ))`;

/** A database that uses the primary, except within `readFromReplica`. */
export function createDatabase(binding: D1Database): Database {
  const current = () => replicaSession.getStore() ?? binding;
  const client: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare: (query) => current().prepare(query),
    async batch<Row>(statements: D1PreparedStatement[]) {
      const way = openWay.getStore();
      if (!way) return current().batch<Row>(statements);
      const assertOpen = current().prepare(ASSERT_OPEN).bind(way);
      return (await current().batch<Row>([assertOpen, ...statements])).slice(1);
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Drizzle uses only these two methods.
  return drizzle(client as D1Database);
}

const dialect = new SQLiteSyncDialect();

/**
 * Runs statements in one transaction. D1 has only this kind of transaction, and Drizzle's `batch` accepts no `sql`
 * templates.
 * @returns each statement's rows, with the database's column names.
 */
export async function runBatch(
  db: Database,
  statements: readonly SQLWrapper[],
): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement.getSQL());
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map(({ results: rows }) => rows);
}

/**
 * Runs a query in which equal values share one parameter, because D1 takes at most 100 parameters per query.
 * The query's text must not contain question marks.
 */
export async function readWithSharedParams<Row = Record<string, unknown>>(
  db: Database,
  query: SQLWrapper,
): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query.getSQL());
  const values = [...new Set(params)];
  const numbers = params.map((value) => values.indexOf(value) + 1);
  const statement = sql.replaceAll('?', () => `?${numbers.shift()}`);
  const { results } = await db.$client
    .prepare(statement)
    .bind(...values)
    .all<Row>();
  return results;
}

/** @param columns `table.column` of a constraint; without it, any UNIQUE constraint matches */
export const isUniqueViolation = (error: unknown, columns = ''): boolean =>
  messagesOf(error).some((text) => text.includes('UNIQUE constraint failed') && text.includes(columns));

/** True if a row references another one that doesn't exist, for example a deleted account. */
export const isMissingReference = (error: unknown): boolean =>
  messagesOf(error).some((text) => text.includes('FOREIGN KEY constraint failed'));

/** True if a batch failed because of `whileOpen`. */
export const hasWayEnded = (error: unknown): boolean =>
  messagesOf(error).some((text) => text.includes(ENDED));

function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];
}
