import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { checkSplitting } from './check-splitting.ts';
import { readMigrations } from '#dev/build/migrations.ts';
import { normalizeSql, splitLikeD1 } from './split-like-d1.ts';

const migrations = readMigrations();

const schemaOf = (database: DatabaseSync) =>
  database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all();

const check = (sql: string) => checkSplitting({ name: '0100_x.sql', sql });

const trigger = (when: string, body: string, begin = 'BEGIN') =>
  `CREATE TABLE a (b);\nCREATE TRIGGER a_checked BEFORE INSERT ON a ${when}\n${begin}\n  ${body};\nEND;`;

it('checkSplitting finds no problem in our migrations', () => {
  expect(migrations.length).toBeGreaterThan(0);
  expect(migrations.flatMap(checkSplitting)).toEqual([]);
});

it('our migrations create the same schema when run statement by statement', () => {
  const [whole, split] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
  for (const { sql } of migrations) {
    whole.exec(`BEGIN;\n${sql}\nCOMMIT;`);
    for (const statement of splitLikeD1(sql)) split.exec(statement);
  }
  expect(schemaOf(split)).toEqual(schemaOf(whole));
  expect(schemaOf(split).length).toBeGreaterThan(100);
});

it('checkSplitting rejects a bare CASE in a trigger’s condition and accepts it in parentheses', () => {
  const sql = trigger('WHEN NOT CASE\n  WHEN NEW.b THEN 1\nEND', `SELECT RAISE(ABORT, 'no')`);
  expect(check(sql)).toEqual([
    '0100_x.sql: D1 would cut the trigger a_checked in the middle. It takes the END of a CASE for the end of the ' +
      'trigger. Write (CASE ... END), in parentheses.',
  ]);
  expect(check(trigger('WHEN NOT (CASE\n  WHEN NEW.b THEN 1\nEND)', `SELECT RAISE(ABORT, 'no')`))).toEqual(
    [],
  );
});

it.each([
  ['a bare CASE in a trigger’s body', trigger('', `SELECT CASE WHEN NEW.b THEN RAISE(ABORT, 'no') END`)],
  ['a lowercase begin of a trigger’s body', trigger('', `SELECT RAISE(ABORT, 'no')`, 'begin')],
  ['Windows line ends', trigger('', `SELECT RAISE(ABORT, 'no')`).replaceAll('\n', '\r\n')],
  ['no semicolon at its end', 'CREATE TABLE a (b)'],
  ['a quote in a comment', "-- Don’t, or don't.\nCREATE TABLE a (b);"],
])('checkSplitting rejects a migration with %s', (_, sql) => {
  expect(check(sql)).toHaveLength(1);
});

it('splitLikeD1 does not split at semicolons in string literals, comments or trigger bodies', () => {
  const sql = `${trigger('', `SELECT RAISE(ABORT, 'no; END; no')`)}\n/* a; b */ INSERT INTO a VALUES ('--;');`;
  expect(splitLikeD1(sql).map(normalizeSql)).toEqual([
    'CREATE TABLE a (b)',
    `CREATE TRIGGER a_checked BEFORE INSERT ON a BEGIN SELECT RAISE(ABORT, 'no; END; no'); END`,
    `INSERT INTO a VALUES ('--;')`,
  ]);
});
