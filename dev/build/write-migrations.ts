// Writes the migrations of schema/: npm run migrations -- [--name what_changed] [--freeze] [--check]
// With --check, writes none and fails if one is missing.
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type * as DrizzleKit from 'drizzle-kit/api';
import type { DrizzleSQLiteSnapshotJSON } from 'drizzle-kit/api';
import { getTableName } from 'drizzle-orm';
import { allTables, factsOf } from '#schema/tables/table.ts';
import { declaredTriggers } from '#schema/tables/fixed-columns.ts';
import { FOLDER, listMigrations, nameMigration, readMigrations, SNAPSHOT } from './migrations.ts';
import { root } from '../settings.ts';

// Loads in a fifth of the time that Node takes for its ES module.
const { generateSQLiteDrizzleJson, generateSQLiteMigration } = createRequire(import.meta.url)(
  'drizzle-kit/api',
) as typeof DrizzleKit;

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'changes' },
    freeze: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const tables = await readTables();
const triggers = readFileSync(join(root, 'schema/triggers.sql'), 'utf8') + declaredTriggers();

async function readTables(): Promise<DrizzleSQLiteSnapshotJSON> {
  const files = globSync('schema/tables/*.ts', { cwd: root }).toSorted();
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(root, file)).href)));
  return generateSQLiteDrizzleJson(Object.assign({}, ...modules) as Record<string, unknown>);
}

/** SQL for all tables and triggers. */
async function buildSchema(): Promise<string> {
  const statements = await generateSQLiteMigration(await generateSQLiteDrizzleJson({}), tables);
  return [...statements.map(withoutRowid), triggers].join('\n');
}

/** Drizzle can't declare WITHOUT ROWID. */
function withoutRowid(statement: string): string {
  const [, table = ''] = /^CREATE TABLE `(?:__new_)?(\w+)`/.exec(statement) ?? [];
  return withoutRowids().includes(table) ? statement.replace(/\);\s*$/, ') WITHOUT ROWID;') : statement;
}

const withoutRowids = () =>
  allTables()
    .filter((table) => factsOf(table).table.withoutRowid)
    .map((table) => getTableName(table));

async function writeBaseline(): Promise<void> {
  const baseline = write(0, 'baseline', await buildSchema());
  for (const name of listMigrations()) if (name !== baseline) rmSync(join(FOLDER, name));
  if (!values.freeze) return;
  writeFileSync(SNAPSHOT, `${JSON.stringify(tables)}\n`);
  rmSync(join(FOLDER, '.gitignore'), { force: true });
}

async function writeNext(): Promise<void> {
  if (!values.check) nameAgain();
  const statements = await listChanges();
  if (values.check) {
    refuse(
      'was changed. Run "npm run migrations -- --name what_changed".',
      statements.length > 0 ? ['schema/'] : [],
    );
    return;
  }
  if (statements.length === 0) {
    console.log('The migrations have all of schema/tables and schema/triggers.sql.');
  } else {
    write(listMigrations().length, values.name.replaceAll(/\W+/g, '_'), `${statements.join('\n')}\n`);
  }
  writeFileSync(SNAPSHOT, `${JSON.stringify(tables)}\n`);
}

/** Gives the newest migration its name again, after it was edited. */
function nameAgain(): void {
  const names = listMigrations();
  const [number, newest = ''] = [names.length - 1, names.at(-1)];
  const [, title = ''] = /^\d{4}_(\w+?)(?:_[0-9a-f]{8})?\.sql$/.exec(newest) ?? [];
  const path = join(FOLDER, newest);
  renameSync(path, join(FOLDER, nameMigration(number, title, readFileSync(path, 'utf8'))));
}

function write(number: number, title: string, sql: string): string {
  const name = nameMigration(number, title, sql);
  const path = join(FOLDER, name);
  // Other processes may read the file meanwhile.
  writeFileSync(`${path}.${process.pid}`, sql);
  renameSync(`${path}.${process.pid}`, path);
  console.log(`Wrote ${name}.`);
  return name;
}

/** The statements that change a database with all migrations into what schema/ declares. */
async function listChanges(): Promise<readonly string[]> {
  const snapshot = JSON.parse(readFileSync(SNAPSHOT, 'utf8')) as DrizzleSQLiteSnapshotJSON;
  const declared = createDatabase(await buildSchema());
  const database = createDatabase(...readMigrations().map(({ sql }) => sql));
  refuseMandatory(declared, database);
  // A migration that was written by hand may have what the snapshot lacks.
  const isDone = without(listFacts(declared), listFacts(database)).length === 0;
  const changes = (isDone ? [] : await generateSQLiteMigration(snapshot, tables))
    // D1 ignores PRAGMA foreign_keys. The running version may use what would be dropped. Views are compared below.
    .filter((statement) => !/^(?:PRAGMA|\w+ VIEW) /.test(statement) && !isDrop(statement, declared))
    .map((statement) => withoutRowid(statement).trim());
  const dropped = changes.flatMap((statement) => /^DROP TABLE `(\w+)`/.exec(statement)?.[1] ?? []);
  refuseReferenced(dropped, database);
  const [before, after] = [listEntries(database), listEntries(declared)];
  const parts = listParts(database);
  const isIn = (entries: readonly Entry[], { name, sql }: Entry) =>
    entries.some((entry) => entry.name === name && entry.sql === sql);
  // Dropping a table drops its triggers, and SQLite doesn't rename a table while others refer to the dropped one.
  const mustGo = (entry: Entry) => (dropped.length > 0 && entry.type !== 'table') || !isIn(after, entry);
  const gone = before.filter(mustGo);
  refuse(
    'would lose its rows. Write that migration by hand.',
    gone.flatMap(({ type, name }) => (type === 'table' ? name : [])),
  );
  const statements = [
    ...gone.toReversed().map(({ type, name }) => `DROP ${type.toUpperCase()} ${name};`),
    ...changes,
    ...after.filter((entry) => isIn(gone, entry) || !isIn(before, entry)).map(({ sql }) => `${sql};`),
  ];
  addRows(database);
  // Fails if a statement can't run.
  database.exec(statements.join('\n'));
  refuse('would be dropped. Write that migration by hand.', without(parts, listParts(database)));
  const problem = "isn't in the migrations. If one was deleted, restore it. Otherwise write one by hand.";
  refuse(problem, without(listParts(declared), listParts(database)));
  return statements;
}

/** True for what isn't declared any more, not for what is created again. */
function isDrop(statement: string, declared: DatabaseSync): boolean {
  const [, name] = /^DROP (?:TABLE|INDEX) `(\w+)`/.exec(statement) ?? [];
  if (name === undefined) return / DROP COLUMN /.test(statement);
  return declared.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) === undefined;
}

const without = (parts: readonly string[], others: readonly string[]) =>
  parts.filter((part) => !others.includes(part));

function refuse(problem: string, [part]: readonly string[]): void {
  if (part !== undefined) throw new Error(`${part} ${problem}`);
}

/** Lists the columns of tables, and the indexes. */
function listParts(database: DatabaseSync): readonly string[] {
  const parts = database.prepare(
    `SELECT t.name || '.' || c.name AS part FROM pragma_table_list t, pragma_table_xinfo(t.name) c
     WHERE t.schema = 'main' AND t.type = 'table'
     UNION ALL SELECT name || ' WITHOUT ROWID' FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr
     UNION ALL SELECT name FROM sqlite_master WHERE type = 'index'`,
  );
  return parts.all().map(({ part }) => String(part));
}

const COLUMNS = `
  SELECT t.name || '.' || c.name AS column, t.name AS tableName, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
  FROM pragma_table_list t, pragma_table_xinfo(t.name) c WHERE t.schema = 'main' AND t.type = 'table'`;

/** Lists what tables and indexes consist of, but not in which order or with which quotes. */
function listFacts(database: DatabaseSync): readonly string[] {
  const references = `
    SELECT t.name, f."from", f."table", f."to", f.on_update, f.on_delete
    FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`;
  const withSql = database.prepare(
    "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'index')",
  );
  return [
    ...[COLUMNS, references].flatMap((query) =>
      database
        .prepare(query)
        .all()
        .map((row) => JSON.stringify(row)),
    ),
    ...withSql.all().flatMap(({ type, name, sql }) => {
      const plain = String(sql).replaceAll(/["`\s]/g, '');
      return type === 'index' ? [plain] : listChecks(plain).map((check) => `${String(name)} ${check}`);
    }),
  ];
}

/** Lists the CHECK constraints of a table's SQL, up to the next constraint. */
const listChecks = (sql: string) =>
  sql
    .split(/(?=CONSTRAINT|CHECK\()/)
    .filter((part) => part.startsWith('CHECK('))
    .map((part) => part.replace(/[,)]*(?:WITHOUTROWID)?$/, ''));

/** Without the column, new rows would be refused. */
function refuseMandatory(declared: DatabaseSync, database: DatabaseSync): void {
  const names = new Set(
    declared
      .prepare(COLUMNS)
      .all()
      .flatMap(({ column, tableName }) => [column, tableName]),
  );
  const mandatory = database
    .prepare(`${COLUMNS} AND c."notnull" AND c.dflt_value IS NULL AND c.hidden = 0`)
    .all()
    .filter(({ column, tableName }) => names.has(tableName) && !names.has(column));
  refuse(
    "isn't declared any more, but is NOT NULL, so no row could be inserted. First let it be NULL.",
    mandatory.map(({ column }) => String(column)),
  );
}

/** Adds a row with NULL where it may be, because some changes fail only in a table with rows. */
function addRows(database: DatabaseSync): void {
  const triggers = listEntries(database).filter(({ type }) => type === 'trigger');
  database.exec('PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on');
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  const inserts = database.prepare(
    `SELECT 'INSERT INTO "' || t.name || '" (' || group_concat('"' || c.name || '"') || ') VALUES (' || group_concat(iif(c."notnull" OR c.pk, '1', 'NULL')) || ')' AS sql
     FROM pragma_table_list t, pragma_table_info(t.name) c
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'
     GROUP BY t.name`,
  );
  for (const { sql } of inserts.all()) database.exec(String(sql));
  for (const { sql } of triggers) database.exec(sql);
  database.exec('PRAGMA foreign_keys = on');
}

/** D1 always checks foreign keys. If it drops a table, rows that refer to it are deleted, or the migration fails. */
function refuseReferenced(dropped: readonly string[], database: DatabaseSync): void {
  const references = database
    .prepare(
      `SELECT t.name AS child, f."table" AS parent
       FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`,
    )
    .all();
  for (const { child, parent } of references) {
    if (!dropped.includes(String(parent))) continue;
    throw new Error(
      `${String(parent)} would be dropped, but ${String(child)} refers to it. ` +
        'Add columns that may be NULL or have a constant default instead, without constraints.',
    );
  }
}

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

function createDatabase(...migrations: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const sql of migrations) database.exec(sql);
  return database;
}

/** Lists the triggers, views and search tables of schema/triggers.sql, in the order of creation. */
function listEntries(database: DatabaseSync): readonly Entry[] {
  const entries = database.prepare(
    `SELECT type, name, sql FROM sqlite_master
     WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL TABLE%'
     ORDER BY rowid`,
  );
  return entries.all() as unknown as Entry[];
}

try {
  if (existsSync(SNAPSHOT)) await writeNext();
  else if (!values.check) await writeBaseline();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
