import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMigrations } from '#dev/build/migrations.ts';
import { copyUnreleased, type ProjectCopy } from '../test-support/copy-project.ts';
import { fakeDeploy } from '../test-support/fake-deploy.ts';
import { checkSplitting } from './check-splitting.ts';

let copy: ProjectCopy;
beforeAll(() => {
  copy = copyUnreleased();
});
afterAll(() => copy.delete());

type Rows = Readonly<Record<string, readonly object[]>>;

const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`;

function readRows(database: DatabaseSync): Rows {
  const names = database
    .prepare(TABLES)
    .all()
    .map(({ name }) => String(name));
  return Object.fromEntries(names.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]));
}

/** Fills each table with two rows, without its triggers and constraints. */
function fill(database: DatabaseSync): void {
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  database.exec('PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on');
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  for (const { name } of database.prepare(TABLES).all()) {
    const columns = database
      .prepare('SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0')
      .all(String(name));
    const list = columns.map((column) => `"${String(column['name'])}"`).join();
    for (const row of [1, 2]) {
      // Equal values let rows refer to each other.
      const values = columns.map(({ type }) => (type === 'TEXT' ? `'${row}'` : row));
      database.exec(`INSERT INTO "${String(name)}" (${list}) VALUES (${values.join()})`);
    }
  }
  for (const { sql } of triggers) database.exec(String(sql));
  database.exec('PRAGMA foreign_keys = on; PRAGMA ignore_check_constraints = off');
}

const listObjects = (database: DatabaseSync) =>
  database
    .prepare(`SELECT type, name, tbl_name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name`)
    .all();

const listWithoutRowids = (database: DatabaseSync) =>
  database.prepare(`SELECT name FROM pragma_table_list WHERE wr = 1 AND type = 'table' ORDER BY name`).all();

it('before the first release, a schema change makes a new baseline, and a deploy refuses older databases', async () => {
  copy.edit('schema/tables/payments.ts', /\n +priorityReads: .*/, '');
  copy.edit('schema/tables/payments.ts', /\n +tries: .*/, '');
  copy.edit('schema/tables/price-marks.ts', /\n +liquidityUsd: .*/, '');
  copy.writeMigrations();
  const [older = '', ...others] = Object.keys(copy.readMigrations());
  const needed = readMigrations().map(({ name }) => name);
  expect([older, others]).toEqual([expect.stringMatching(/^0000_baseline_[0-9a-f]{8}\.sql$/), []]);
  expect(older).not.toBe(needed[0]);

  const { error, changes } = await fakeDeploy({ account: { applied: [older] } });
  expect(error).toMatchObject({
    message:
      `The database has ${older}, but this version needs ${needed.join(', ')}. ` +
      'Deploy the version that the database belongs to, or give this version a new database.',
  });
  expect(changes).toEqual([]);
});

it('a schema change after the release generates one migration that preserves rows, triggers and WITHOUT ROWID', () => {
  copy.delete();
  copy = copyUnreleased();
  copy.writeMigrations('--freeze');
  const frozen = copy.readMigrations();
  expect(Object.keys(frozen)).toEqual([expect.stringMatching(/^0000_baseline_[0-9a-f]{8}\.sql$/)]);
  expect(existsSync(join(copy.root, 'schema/migrations/.gitignore'))).toBe(false);

  copy.edit('schema/tables/payments.ts', /\n +payerAddress: .*/, "$&\n    note: keep(text('note')),");
  copy.edit('schema/tables/price-marks.ts', /timestamp\('seen_at'\).notNull\(\)/, "timestamp('seen_at')");
  copy.edit('schema/triggers.sql', /'payments are never changed'/, "'payments never change'");
  copy.writeMigrations('--name', 'add note');
  const { [Object.keys(frozen)[0] ?? '']: baseline = '', ...added } = copy.readMigrations();
  const [[name, sql] = ['', ''], ...others] = Object.entries(added);
  expect(baseline).toBe(Object.values(frozen)[0]);
  expect([name, others]).toEqual([expect.stringMatching(/^0001_add_note_[0-9a-f]{8}\.sql$/), []]);
  expect(checkSplitting({ name, sql })).toEqual([]);

  const database = new DatabaseSync(':memory:');
  database.exec(baseline);
  fill(database);
  const [rows, objects, withoutRowids] = [
    readRows(database),
    listObjects(database),
    listWithoutRowids(database),
  ];
  database.exec(`BEGIN;\n${sql}\nCOMMIT;`);
  expect(readRows(database)).toEqual({
    ...rows,
    payments: rows['payments']?.map((row) => ({ ...row, note: null })),
  });
  expect(listObjects(database)).toEqual(objects);
  expect(listWithoutRowids(database)).toEqual(withoutRowids);
  expect(withoutRowids).toEqual(
    ['call_events', 'call_holdings', 'facts', 'log_salts', 'price_closes', 'price_marks', 'price_quotes'].map(
      (name) => ({ name }),
    ),
  );
  expect(() => database.exec('UPDATE payments SET slot = 0')).toThrow('payments never change');
});

it('a deploy refuses a change of schema/ without a migration', () => {
  const check = "import('./deploy/migrate.ts').then(({ checkMigrations }) => console.log(checkMigrations()))";
  const run = () =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', check], {
      cwd: copy.root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const before = Object.keys(copy.readMigrations());
  expect(run()).toBe(`${before.length}\n`);
  copy.edit('schema/triggers.sql', /'updates are never changed'/, "'updates never change'");
  expect(run).toThrow('schema/ was changed. Run "npm run migrations -- --name what_changed".');
  expect(Object.keys(copy.readMigrations())).toEqual(before);
  copy.edit('schema/triggers.sql', /'updates never change'/, "'updates are never changed'");
});
