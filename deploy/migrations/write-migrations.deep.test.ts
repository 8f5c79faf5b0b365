import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyUnreleased, type ProjectCopy } from '../test-support/copy-project.ts';

let copy: ProjectCopy;
beforeAll(() => {
  copy = copyUnreleased();
  copy.writeMigrations('--freeze');
  copy.edit('schema/tables/payments.ts', /\n +payerAddress: .*/, "$&\n    note: keep(text('note')),");
  copy.writeMigrations('--name', 'add note');
});
afterAll(() => copy.delete());

it('a changed view is dropped and created again', () => {
  copy.edit('schema/tables/subscriptions.ts', /AS written_end,/, 'AS written_end, 1 AS one,');
  copy.writeMigrations();
  const [name = '', sql] = Object.entries(copy.readMigrations()).at(-1) ?? [];
  expect(sql).toMatch(/^DROP VIEW periods;\nCREATE VIEW `periods` [^;]* 1 AS one,[^;]*;\n$/);
  copy.edit('schema/tables/subscriptions.ts', / 1 AS one,/, '');
  rmSync(join(copy.root, 'schema/migrations', name));
});

it('only a handwritten migration drops a removed column, and its file name gets a hash', () => {
  const before = Object.keys(copy.readMigrations());
  copy.edit('schema/tables/payments.ts', /\n +note: .*/, '');
  copy.writeMigrations();
  expect(Object.keys(copy.readMigrations())).toEqual(before);
  writeFileSync(
    join(copy.root, 'schema/migrations/0002_drop_note.sql'),
    'ALTER TABLE payments DROP COLUMN note;\n',
  );
  copy.writeMigrations();
  expect(Object.keys(copy.readMigrations())).toEqual([...before, '0002_drop_note_d04929f5.sql']);
});

it('a generated migration does not drop a removed index, which the previous version may still name', () => {
  copy.edit('schema/tables/calls.ts', /'calls_by_age'/, "'calls_by_time'");
  copy.writeMigrations();
  const [sql] = Object.values(copy.readMigrations()).slice(-1);
  expect(sql).toMatch(/^CREATE INDEX `calls_by_time` [^;]*;\n$/);
});

it('the next generated migration takes a handwritten migration into account', () => {
  const folder = join(copy.root, 'schema/migrations');
  copy.edit('schema/tables/wallets.ts', /\n +provenAt: /, "\n    note: erase(text('note')),$&");
  writeFileSync(join(folder, '0004_add_note.sql'), 'ALTER TABLE wallets ADD COLUMN note TEXT;\n');
  copy.writeMigrations();
  copy.edit('schema/tables/wallets.ts', /\n +provenAt: /, "\n    mark: erase(text('mark')),$&");
  copy.writeMigrations();
  const [[, sql] = [], ...others] = Object.entries(copy.readMigrations()).slice(5);
  expect([sql, others]).toEqual(['ALTER TABLE `wallets` ADD `mark` text;\n', []]);
});

const [PAYMENTS, MARKS] = ['schema/tables/payments.ts', 'schema/tables/price-marks.ts'];

it.each<[string, string, readonly [string, RegExp, string][]]>([
  [
    'drop a table to which others refer',
    'payments would be dropped, but',
    [[PAYMENTS, /text\('payer_address'\).notNull\(\)/, "text('payer_address')"]],
  ],
  [
    'drop a column of a table that it recreates',
    'price_marks.liquidity_usd would be dropped.',
    [
      [MARKS, /\n +liquidityUsd: .*/, ''],
      [MARKS, /text\('source'\)/, "text('source').default('none')"],
    ],
  ],
  [
    'empty the search index',
    'callers_search would lose its rows.',
    [['schema/triggers.sql', /'ascii'/, "'unicode61'"]],
  ],
  [
    'make inserts fail because of a removed NOT NULL column',
    'payments.payer_address isn',
    [[PAYMENTS, /\n +payerAddress: .*/, '']],
  ],
  [
    'fail on a table with rows',
    'Cannot add a NOT NULL column',
    [[PAYMENTS, /\n +payerAddress: .*/, "$&\n    note: keep(text('note').notNull()),"]],
  ],
])('the generator refuses a migration that would %s', (_, message, edits) => {
  const files = edits.map(([file]) => [join(copy.root, file), readFileSync(join(copy.root, file))] as const);
  const before = Object.keys(copy.readMigrations());
  for (const edit of edits) copy.edit(...edit);
  expect(() => copy.writeMigrations()).toThrow(message);
  expect(Object.keys(copy.readMigrations())).toEqual(before);
  for (const [path, source] of files.toReversed()) writeFileSync(path, source);
});

it('the generator reports what is missing if a migration was deleted', () => {
  const [newest = ''] = Object.keys(copy.readMigrations()).slice(-1);
  rmSync(join(copy.root, 'schema/migrations', newest));
  expect(() => copy.writeMigrations()).toThrow("wallets.mark isn't in the migrations.");
});
