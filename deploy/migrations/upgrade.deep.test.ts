import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyLikeD1 } from './check-migrations.ts';
import { readKnownSchema, readMigrations, type KnownSchema } from './read-migrations.ts';
import { recordSeed, writeRows, type WrittenRows } from './recorded-seed.ts';
import { schemaOf } from './schema-of.ts';

// The version before a migration is represented by its snapshot of tables and columns, not by its code. This shows that
// the data survives, and that every column that the old version knew can still be read and written as before. It doesn't
// run its code, as `npm run upgrade-drill` does.

const migrations = readMigrations();
/** This migration changed what `callers.recent_calls` contains, before there was a production database. */
const LAST_BEFORE_PRODUCTION = '0030_newest_ends.sql';
const released = [...migrations.entries()].filter(([, { name }]) => name > LAST_BEFORE_PRODUCTION);

let written: readonly WrittenRows[];
beforeAll(async () => {
  written = await recordSeed();
});

function databaseWith(count: number): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const migration of migrations.slice(0, count)) applyLikeD1(database, migration);
  return database;
}

/** Each table's rows, as JSON. */
type Rows = ReadonlyMap<string, readonly string[]>;

/** Reads every column that the snapshot lists. */
function readKnownRows(database: DatabaseSync, known: KnownSchema): Rows {
  const rows = Object.entries(known.tables).map(([table, definition]) => {
    const columns = Object.keys(definition?.columns ?? {}).map((column) => `"${column}"`);
    const order = columns.map((_, place) => place + 1).join(', ');
    const select = `SELECT ${columns.join(', ')} FROM "${table}" ORDER BY ${order}`;
    return [
      table,
      database
        .prepare(select)
        .all()
        .map((row) => JSON.stringify(row)),
    ] as const;
  });
  return new Map(rows);
}

/** The first difference of each table: a whole difference of thousands of rows is unreadable. */
function differences(before: Rows, after: Rows): readonly string[] {
  return [...before].flatMap(([table, rows]) => {
    const others = after.get(table) ?? [];
    const index = rows.findIndex((row, place) => row !== others[place]);
    if (index === -1 && rows.length === others.length) return [];
    return [`${table}: ${rows.length} rows, now ${others.length}: ${rows[index]}, now ${others[index]}`];
  });
}

/** Writes every known column of every row with the value that it has. Returns the refused writes. */
function rewrite(database: DatabaseSync, known: KnownSchema): readonly string[] {
  const { tables } = schemaOf(database);
  return Object.entries(known.tables).flatMap(([table, definition]) =>
    Object.keys(definition?.columns ?? {})
      .filter((column) => tables.get(table)?.columns.get(column)?.isGenerated === false)
      .flatMap((column) => {
        try {
          database.exec(`UPDATE "${table}" SET "${column}" = "${column}"`);
          return [];
        } catch (error) {
          return [`${table}.${column}: ${String(error)}`];
        }
      }),
  );
}

describe.each(released)('an upgrade with migration %i', (count, migration) => {
  const before = migrations[count - 1];
  const known = before === undefined ? { tables: {} } : readKnownSchema(before);
  const isKnown = (table: string, column: string) => column in (known.tables[table]?.columns ?? {});

  it('keeps the data, and the version before can read and write as it did', () => {
    const old = databaseWith(count);
    writeRows(old, written, isKnown);
    const data = readKnownRows(old, known);
    expect([...data.values()].flat().length).toBeGreaterThan(1_000);
    const refused = rewrite(old, known);
    const dataAfterRewrite = readKnownRows(old, known);

    const upgraded = databaseWith(count);
    writeRows(upgraded, written, isKnown);
    applyLikeD1(upgraded, migration);
    expect(differences(data, readKnownRows(upgraded, known))).toEqual([]);
    expect(upgraded.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(upgraded.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    expect(rewrite(upgraded, known)).toEqual(refused);
    expect(differences(dataAfterRewrite, readKnownRows(upgraded, known))).toEqual([]);
  });

  it('lets the version before write its rows into the new database', () => {
    const [old, upgraded] = [databaseWith(count), databaseWith(count + 1)];
    writeRows(old, written, isKnown);
    writeRows(upgraded, written, isKnown);
    expect(differences(readKnownRows(old, known), readKnownRows(upgraded, known))).toEqual([]);
  });
});
