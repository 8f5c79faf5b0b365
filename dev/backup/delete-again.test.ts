import { getTableColumns, getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import { allTables, factsOf } from '#schema/tables/table.ts';
import { users } from '#schema/tables/users.ts';
import { readMigrations } from '../build/migrations.ts';
import { loadTables } from '../build/load-tables.ts';
import { deleteAgain } from './delete-again.ts';

const PERSON = 'the-person';

/** Values that deletions compare with those of other tables. */
const VALUES: Readonly<Record<string, string | null>> = {
  'users.id': PERSON,
  'log_entries.caller_id': PERSON,
  // Null, because the entry is about the person, not about a call.
  'log_entries.call_id': null,
  // Null, because a deletion keeps this address in the history of payout wallets.
  'callers.payout_address': null,
  'chat_posts.chat_id': 'CANARY telegram_chats.chat_id',
};

const personsTables = () => allTables().filter((table) => factsOf(table).table.of !== undefined);
const treatmentOf = (table: SQLiteTable, key: string) => factsOf(table).columns[key]?.treatment;

function valueOf(table: SQLiteTable, key: string, column: SQLiteColumn): SQLInputValue {
  const reference = getTableConfig(table)
    .foreignKeys.map((each) => each.reference())
    .find(({ columns }) => columns.length === 1 && columns[0] === column);
  if (reference?.foreignTable === users) return PERSON;
  const [target] = reference?.foreignColumns ?? [];
  if (reference && target) {
    const found = Object.entries(getTableColumns(reference.foreignTable)).find(([, each]) => each === target);
    return valueOf(reference.foreignTable, found?.[0] ?? '', target);
  }
  const name = `${getTableName(table)}.${column.name}`;
  const fixed = VALUES[name];
  if (fixed !== undefined) return fixed;
  if (!column.getSQLType().startsWith('text')) return column.notNull ? 1 : null;
  return treatmentOf(table, key) === 'erase' ? `CANARY ${name}` : `kept ${name}`;
}

function insertRow(database: DatabaseSync, table: SQLiteTable): void {
  const values = Object.entries(getTableColumns(table) as Readonly<Record<string, SQLiteColumn>>)
    .filter(
      ([key, { generated, hasDefault }]) =>
        !generated && (!hasDefault || treatmentOf(table, key) === 'erase'),
    )
    .map(([key, column]) => [column.name, valueOf(table, key, column)] as const);
  const names = values.map(([name]) => `"${name}"`).join();
  const list = values.map(() => '?').join();
  database
    .prepare(`INSERT INTO "${getTableName(table)}" (${names}) VALUES (${list})`)
    .run(...values.map(([, value]) => value));
}

/** Lists the marks of the inserted texts, such as `CANARY users.bio`, that the database still has. */
function marksIn(database: DatabaseSync, kind: 'CANARY' | 'kept'): string[] {
  const rows = allTables().flatMap((table) =>
    database.prepare(`SELECT * FROM "${getTableName(table)}"`).all(),
  );
  const marks = JSON.stringify(rows).match(new RegExp(`${kind} \\w+\\.\\w+`, 'g')) ?? [];
  return [...new Set(marks)].toSorted();
}

/** Lists the marks of columns that stay after a deletion. */
const marksToKeep = () =>
  personsTables().flatMap((table) =>
    Object.entries(getTableColumns(table))
      .filter(([key]) => treatmentOf(table, key) === 'keep')
      .map(([, { name }]) => `kept ${getTableName(table)}.${name}`),
  );

beforeAll(loadTables);

it('a deletion erases every text declared as personal and no text declared to stay', async () => {
  const database = new DatabaseSync(':memory:');
  for (const { sql } of readMigrations()) database.exec(sql);
  for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()) {
    database.exec(`DROP TRIGGER ${String(name)}`);
  }
  database.exec('PRAGMA ignore_check_constraints = ON');
  for (const table of personsTables()) insertRow(database, table);
  expect(marksIn(database, 'CANARY').length).toBeGreaterThan(40);
  const toKeep = marksIn(database, 'kept').filter((mark) => marksToKeep().includes(mark));
  expect(toKeep.length).toBeGreaterThan(40);

  const bound = (sql: string, values: readonly unknown[]) => ({
    bind: (...more: unknown[]) => bound(sql, more),
    all: () => Promise.resolve({ results: database.prepare(sql).all(...(values as SQLInputValue[])) }),
  });
  const db = { prepare: (sql: string) => bound(sql, []) };
  expect(await deleteAgain({ db, userIds: [PERSON], now: 2 })).toBe(1);

  expect(marksIn(database, 'CANARY')).toEqual([]);
  expect(marksIn(database, 'kept')).toEqual(expect.arrayContaining(toKeep));
});
