import { closeSync, globSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** D1 takes at most 100 KB per statement. */
const STATEMENT_BYTES = 90_000;
/** Fills the search index while the rows are inserted. */
const SEARCH_TRIGGER = 'callers_search_inserted';

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/**
 * Writes a local database as SQL for an empty D1 database, with its migrations recorded. Triggers come last, because
 * they would act on the inserted rows. Unique indexes come before the rows, because foreign keys may reference them.
 * @returns the number of statements
 */
export function writeSql(stateDir: string, path: string): number {
  const [file = ''] = globSync(join(stateDir, 'v3/d1/**/*.sqlite')).filter(
    (name) => !name.endsWith('metadata.sqlite'),
  );
  const database = new DatabaseSync(file, { readOnly: true });
  const output = openSync(path, 'w');
  let count = 0;
  for (const statement of listStatements(database)) {
    writeSync(output, `${statement};\n`);
    count += 1;
  }
  closeSync(output);
  database.close();
  return count;
}

function* listStatements(database: DatabaseSync): Generator<string> {
  const entries = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_master
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
       ORDER BY rowid`,
    )
    .all() as unknown as Entry[];
  const virtual = entries.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL TABLE'));
  const tables = entries.filter(
    ({ type, name }) => type === 'table' && !virtual.some((table) => name.startsWith(table.name)),
  );
  const views = entries.filter(({ type }) => type === 'view');
  const ofSearch = [...virtual, ...entries.filter(({ name }) => name === SEARCH_TRIGGER)];
  const unique = entries.filter(({ sql }) => sql.startsWith('CREATE UNIQUE INDEX'));
  const first = [...tables, ...views, ...unique, ...ofSearch];
  for (const { sql } of first) yield sql;
  for (const { name } of sortParentsFirst(tables)) yield* listInserts(database, name);
  const later = entries.filter((entry) => !first.includes(entry));
  for (const type of ['index', 'trigger']) {
    for (const entry of later) if (entry.type === type) yield entry.sql;
  }
}

function sortParentsFirst(tables: readonly Entry[]): Entry[] {
  const sorted: Entry[] = [];
  const add = (table: Entry) => {
    if (sorted.includes(table)) return;
    for (const parent of tables) {
      if (parent !== table && table.sql.includes(`REFERENCES \`${parent.name}\``)) add(parent);
    }
    sorted.push(table);
  };
  for (const table of tables) add(table);
  return sorted;
}

function* listInserts(database: DatabaseSync, table: string): Generator<string> {
  const columns = database
    .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table)
    .map(({ name }) => `"${String(name)}"`)
    .join(', ');
  const insert = `INSERT INTO "${table}" (${columns}) VALUES\n`;
  let values: string[] = [];
  let bytes = 0;
  const rows = database.prepare(`SELECT ${columns} FROM "${table}"`);
  rows.setReadBigInts(true);
  for (const row of rows.iterate()) {
    const text = `(${Object.values(row).map(literalOf).join(', ')})`;
    const length = Buffer.byteLength(text) + 2;
    if (values.length > 0 && bytes + length > STATEMENT_BYTES) {
      yield insert + values.join(',\n');
      values = [];
      bytes = 0;
    }
    values.push(text);
    bytes += length;
  }
  if (values.length > 0) yield insert + values.join(',\n');
}

function literalOf(value: unknown): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
