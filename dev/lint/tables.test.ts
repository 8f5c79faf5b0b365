import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, SQLiteColumn, SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { allTables, erase, factsOf, table } from '#schema/tables/table.ts';
import { accountReference, users } from '#schema/tables/users.ts';
import { root } from '../settings.ts';

const exported: SQLiteTable[] = [];
for (const path of globSync('schema/tables/*.ts', { cwd: root })) {
  const url = pathToFileURL(join(root, path)).href;
  const found = (await import(/* @vite-ignore */ url)) as Readonly<Record<string, unknown>>;
  exported.push(...Object.values(found).filter((each) => is(each, SQLiteTable)));
}

it('every table of the folder is declared with table()', () => {
  expect(exported.length).toBeGreaterThan(55);
  expect(allTables().map(getTableName).toSorted()).toEqual(exported.map(getTableName).toSorted());
  const undeclared = sqliteTable('planted_diaries', { userId: accountReference('user_id') });
  expect(() => factsOf(undeclared)).toThrow("planted_diaries isn't declared with table().");
});

it('a column without erase, keep or withhold is refused', () => {
  const columns = () => ({
    userId: erase(accountReference('user_id')),
    text: text('text'),
  });
  expect(() => table('planted_diaries', columns(), { of: 'userId' })).toThrow(
    'planted_diaries.text says neither erase, keep nor withhold.',
  );
  expect(allTables().map(getTableName)).not.toContain('planted_diaries');
});

it('the words and facts of a column are read with its key', () => {
  const { table: facts, columns } = factsOf(users);
  expect(facts.of).toBe('id');
  expect(columns).toMatchObject({
    id: { word: 'keep' },
    email: { word: 'erase', atRequest: true },
    isVerified: { word: 'erase' },
  });
  expect(Object.keys(columns)).toEqual(getTableConfig(users).columns.map(({ name }) => keyOf(name)));
});

const keyOf = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

it('a table comes after the tables that it references', () => {
  const order = allTables();
  const references = order.flatMap((child) =>
    getTableConfig(child).foreignKeys.map((key) => ({ child, parent: key.reference().foreignTable })),
  );
  expect(references.length).toBeGreaterThan(40);
  expect(references.filter(({ child, parent }) => order.indexOf(parent) >= order.indexOf(child))).toEqual([]);
});

it('an erased column in a row that stays can be emptied', () => {
  const stuck = exported.flatMap((each) => {
    const { columns } = factsOf(each);
    const isKept = Object.values(columns).some(({ word }) => word === 'keep');
    return getTableConfig(each).columns.filter(
      ({ name, notNull, hasDefault, dataType }) =>
        isKept && columns[keyOf(name)]?.word === 'erase' && notNull && !hasDefault && dataType !== 'string',
    );
  });
  expect(stuck).toEqual([]);
});

it('an export is paged in the order of an index that begins with the person', () => {
  const orders = exported.flatMap((each) => {
    const { of, pagedBy, alsoOf } = factsOf(each).table;
    return [
      ...(pagedBy ? [{ each, order: [of, ...pagedBy] }] : []),
      ...(alsoOf?.pagedBy ? [{ each, order: [alsoOf.column, ...alsoOf.pagedBy] }] : []),
    ];
  });
  expect(orders.length).toBeGreaterThan(8);
  for (const { each, order } of orders) {
    const indexes = getTableConfig(each)
      .indexes.filter(({ config }) => !config.where)
      .map(({ config }) =>
        config.columns.map((column) => (is(column, SQLiteColumn) ? keyOf(column.name) : '')),
      );
    expect(indexes.map((keys) => keys.slice(0, order.length))).toContainEqual(order);
  }
});
