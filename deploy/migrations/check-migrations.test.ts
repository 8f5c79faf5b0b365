import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  BROKE_BEFORE_PRODUCTION,
  applyLikeD1,
  breaksOf,
  checkMigrations,
  schemasAfter,
} from './check-migrations.ts';
import { checkSplitting } from './check-splitting.ts';
import { findBreaks } from './find-breaks.ts';
import { readMigrations, type KnownSchema } from './read-migrations.ts';
import { schemaOf } from './schema-of.ts';
import { normalizeSql, splitLikeD1 } from './split-like-d1.ts';

const migrations = readMigrations();

describe('a migration that D1’s remote endpoint reads', () => {
  it('is every one of ours', () => {
    expect(migrations.length).toBeGreaterThan(30);
    expect(migrations.flatMap(checkSplitting)).toEqual([]);
  });

  it('gives the same database, statement by statement, as the whole file', () => {
    const [whole, split] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
    for (const migration of migrations) {
      whole.exec(`BEGIN;\n${migration.sql}\nCOMMIT;`);
      applyLikeD1(split, migration);
    }
    expect(schemaOf(split)).toEqual(schemaOf(whole));
    expect(schemaOf(split).tables.size).toBeGreaterThan(30);
  });

  const trigger = (when: string, body: string, begin = 'BEGIN') =>
    `CREATE TABLE a (b);\nCREATE TRIGGER a_checked BEFORE INSERT ON a ${when}\n${begin}\n  ${body};\nEND;`;

  it('isn’t one with a bare CASE in the condition of a trigger', () => {
    const sql = trigger('WHEN NOT CASE\n  WHEN NEW.b THEN 1\nEND', `SELECT RAISE(ABORT, 'no')`);
    expect(checkSplitting({ name: '0100_x.sql', sql })).toEqual([
      '0100_x.sql: D1 would cut the trigger a_checked in the middle. It takes the END of a CASE for the end of the ' +
        'trigger. Write (CASE ... END), in parentheses.',
    ]);
    const fixed = trigger('WHEN NOT (CASE\n  WHEN NEW.b THEN 1\nEND)', `SELECT RAISE(ABORT, 'no')`);
    expect(checkSplitting({ name: '0100_x.sql', sql: fixed })).toEqual([]);
  });

  it.each([
    ['with a bare CASE in the body', trigger('', `SELECT CASE WHEN NEW.b THEN RAISE(ABORT, 'no') END`)],
    ['with a lowercase begin', trigger('', `SELECT RAISE(ABORT, 'no')`, 'begin')],
    ['with Windows line ends', trigger('', `SELECT RAISE(ABORT, 'no')`).replaceAll('\n', '\r\n')],
    ['without a last semicolon', 'CREATE TABLE a (b)'],
    ['with a quote in a comment', "-- Don’t, or don't.\nCREATE TABLE a (b);"],
  ])('isn’t one %s', (_, sql) => {
    expect(checkSplitting({ name: '0100_x.sql', sql })).toHaveLength(1);
  });

  it('may have semicolons in texts and bodies', () => {
    const sql = `${trigger('', `SELECT RAISE(ABORT, 'no; END; no')`)}\n/* a; b */ INSERT INTO a VALUES ('--;');`;
    expect(splitLikeD1(sql).map(normalizeSql)).toEqual([
      'CREATE TABLE a (b)',
      `CREATE TRIGGER a_checked BEFORE INSERT ON a BEGIN SELECT RAISE(ABORT, 'no; END; no'); END`,
      `INSERT INTO a VALUES ('--;')`,
    ]);
  });
});

describe('a migration that the running version can live with', () => {
  it('is every one since there are releases', () => {
    expect(checkMigrations(migrations)).toEqual([]);
  });

  it('isn’t one of the listed exceptions, which are all older than production', () => {
    const history = {
      migrations,
      schemas: schemasAfter(migrations, [...migrations.keys(), migrations.length]),
    };
    const breaking = migrations
      .filter((_, index) => index > 0 && breaksOf({ from: index, to: index + 1 }, history).length > 0)
      .map(({ name }) => name);
    expect(breaking).toEqual(expect.arrayContaining([...BROKE_BEFORE_PRODUCTION]));
    expect(BROKE_BEFORE_PRODUCTION.filter((name) => name > '0032')).toEqual([]);
  });

  const BEFORE = `
    CREATE TABLE people (id TEXT PRIMARY KEY);
    CREATE TABLE calls (
      id TEXT PRIMARY KEY, person TEXT, price TEXT NOT NULL DEFAULT '0', note TEXT,
      CONSTRAINT calls_price CHECK(price <> ''));
    CREATE INDEX calls_of_person ON calls (person);
    CREATE TRIGGER calls_counted AFTER INSERT ON calls BEGIN UPDATE people SET id = id; END;`;

  /** Every column, table and index of `BEFORE` is known unless the test says otherwise. */
  function breaksWith(sql: string, known: KnownSchema = { tables: knownTables() }): readonly string[] {
    const database = new DatabaseSync(':memory:');
    database.exec(BEFORE);
    const before = schemaOf(database);
    applyLikeD1(database, { name: 'test', sql });
    const statements = splitLikeD1(sql).map(normalizeSql);
    return findBreaks({ before, after: schemaOf(database), statements, known }).map(({ id }) => id);
  }

  const knownTables = () => ({
    people: { columns: { id: {} }, indexes: {} },
    calls: { columns: { id: {}, person: {}, price: {}, note: {} }, indexes: { calls_of_person: {} } },
  });

  const recreated = (columns: string) =>
    `ALTER TABLE calls RENAME TO calls_old; CREATE TABLE calls (${columns}); DROP TABLE calls_old;
     CREATE INDEX calls_of_person ON calls (person);
     CREATE TRIGGER calls_counted AFTER INSERT ON calls BEGIN UPDATE people SET id = id; END;`;
  const CHECK = `CONSTRAINT calls_price CHECK(price <> '')`;

  it.each([
    ['drops a table', 'DROP TABLE calls;', 'drop table calls'],
    ['renames a table', 'ALTER TABLE people RENAME TO users;', 'drop table people'],
    ['drops a column', 'ALTER TABLE calls DROP COLUMN note;', 'drop column calls.note'],
    ['renames a column', 'ALTER TABLE calls RENAME COLUMN note TO thesis;', 'drop column calls.note'],
    [
      'drops a column and adds it again',
      'ALTER TABLE calls DROP COLUMN note; ALTER TABLE calls ADD note TEXT;',
      'drop column calls.note',
    ],
    [
      'adds a column that must be written',
      recreated(
        `id TEXT PRIMARY KEY, person TEXT, price TEXT NOT NULL DEFAULT '0', note TEXT, at INT NOT NULL, ${CHECK}`,
      ),
      'not null calls.at',
    ],
    [
      'forbids NULL in a column',
      recreated(
        `id TEXT PRIMARY KEY, person TEXT NOT NULL, price TEXT NOT NULL DEFAULT '0', note TEXT, ${CHECK}`,
      ),
      'not null calls.person',
    ],
    [
      'takes away a default',
      recreated(`id TEXT PRIMARY KEY, person TEXT, price TEXT NOT NULL, note TEXT, ${CHECK}`),
      'default calls.price',
    ],
    [
      'changes a CHECK',
      recreated(
        `id TEXT PRIMARY KEY, person TEXT, price TEXT NOT NULL DEFAULT '0', note TEXT, CONSTRAINT calls_price CHECK(price > 0)`,
      ),
      'check calls.calls_price',
    ],
    [
      'adds a foreign key',
      'ALTER TABLE calls ADD by TEXT REFERENCES people(id);',
      'foreign key calls.by to people(id)',
    ],
    ['adds a UNIQUE index', 'CREATE UNIQUE INDEX calls_once ON calls (person, note);', 'unique calls_once'],
    ['drops an index', 'DROP INDEX calls_of_person;', 'drop index calls_of_person'],
    [
      'adds a trigger that rejects rows',
      `CREATE TRIGGER calls_stay BEFORE DELETE ON calls BEGIN SELECT RAISE(ABORT, 'no'); END;`,
      'trigger calls_stay',
    ],
    ['drops a trigger that writes', 'DROP TRIGGER calls_counted;', 'drop trigger calls_counted'],
  ])('isn’t one that %s', (_, sql, id) => {
    expect(breaksWith(sql)).toEqual([id]);
  });

  it('may add tables, indexes, and columns that can be left out', () => {
    const additions = `
      CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL UNIQUE);
      CREATE TRIGGER notes_stay BEFORE DELETE ON notes BEGIN SELECT RAISE(ABORT, 'no'); END;
      ALTER TABLE calls ADD at INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE calls ADD thesis TEXT;
      CREATE INDEX calls_by_time ON calls (at);
      CREATE TRIGGER calls_timed AFTER INSERT ON calls BEGIN UPDATE calls SET at = 1; END;`;
    expect(breaksWith(additions)).toEqual([]);
  });

  it('drops what the version before no longer knows', () => {
    const { calls, people } = knownTables();
    const { note: _, ...columns } = calls.columns;
    const known = { tables: { people, calls: { ...calls, columns } } };
    expect(breaksWith('ALTER TABLE calls DROP COLUMN note;', known)).toEqual([]);
  });
});

describe('the check of pending migrations', () => {
  const next = (sql: string) => [...migrations, { name: '9999_next.sql', sql }];

  it('compares them as one change with what the database has', () => {
    const pending = { appliedCount: migrations.length };
    expect(checkMigrations(next('CREATE TABLE later (id TEXT);'), pending)).toEqual([]);
    expect(checkMigrations(next('DROP TABLE sessions;'), pending)).toEqual([
      '9999_next.sql: drop table sessions: the running version still knows it. First release a version that does not.',
    ]);
  });

  it('accepts a break that the migration explains', () => {
    const pending = { appliedCount: migrations.length };
    const index = 'DROP INDEX `sessions_user`;';
    const [problem = ''] = checkMigrations(next(index), pending);
    expect(problem).toContain('drop index sessions_user');
    const explained = `-- compatible: drop index sessions_user: nothing reads it.\n${index}`;
    expect(checkMigrations(next(explained), pending)).toEqual([]);
    expect(checkMigrations(next(`-- compatible: drop index sessions_user:\n${index}`), pending)).toEqual([
      problem,
    ]);
  });

  it('checks nothing before the first deploy, when the database is empty', () => {
    expect(checkMigrations(migrations, { appliedCount: 0 })).toEqual([]);
  });

  it('finds a column that the running version still knows', () => {
    const pending = { appliedCount: migrations.length };
    expect(checkMigrations(next('ALTER TABLE `calls` DROP COLUMN `logo_uri`;'), pending)).toEqual([
      expect.stringContaining('drop column calls.logo_uri'),
    ]);
  });
});
