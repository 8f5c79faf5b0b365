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

it('every table in schema/tables is declared with table()', () => {
  expect(exported.length).toBeGreaterThan(55);
  expect(allTables().map(getTableName).toSorted()).toEqual(exported.map(getTableName).toSorted());
  const undeclared = sqliteTable('planted_diaries', { userId: accountReference('user_id') });
  expect(() => factsOf(undeclared)).toThrow("planted_diaries isn't declared with table().");
});

it('table() refuses a column that is declared without erase, keep or withhold', () => {
  const columns = () => ({
    userId: erase(accountReference('user_id')),
    text: text('text'),
  });
  expect(() => table('planted_diaries', columns(), { of: 'userId' })).toThrow(
    'planted_diaries.text is declared without erase, keep or withhold.',
  );
  expect(allTables().map(getTableName)).not.toContain('planted_diaries');
});

it('factsOf returns by key whether a column is kept or erased', () => {
  const { table: facts, columns } = factsOf(users);
  expect(facts.of).toBe('id');
  expect(columns).toMatchObject({
    id: { treatment: 'keep' },
    email: { treatment: 'erase', atRequest: true },
    isVerified: { treatment: 'erase' },
  });
  expect(Object.keys(columns)).toEqual(getTableConfig(users).columns.map(({ name }) => keyOf(name)));
});

const keyOf = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

it('allTables lists each table after the tables that it references', () => {
  const order = allTables();
  const references = order.flatMap((child) =>
    getTableConfig(child).foreignKeys.map((key) => ({ child, parent: key.reference().foreignTable })),
  );
  expect(references.length).toBeGreaterThan(40);
  expect(references.filter(({ child, parent }) => order.indexOf(parent) >= order.indexOf(child))).toEqual([]);
});

it('every column to erase in a kept row accepts an empty value', () => {
  const stuck = exported.flatMap((each) => {
    const { columns } = factsOf(each);
    const isKept = Object.values(columns).some(({ treatment }) => treatment === 'keep');
    return getTableConfig(each).columns.filter(
      ({ name, notNull, hasDefault, dataType }) =>
        isKept &&
        columns[keyOf(name)]?.treatment === 'erase' &&
        notNull &&
        !hasDefault &&
        dataType !== 'string',
    );
  });
  expect(stuck).toEqual([]);
});

it('every paged export has an index that begins with its sort columns', () => {
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
    const { primaryKeys } = getTableConfig(each);
    indexes.push(...primaryKeys.map(({ columns }) => columns.map(({ name }) => keyOf(name))));
    expect(indexes.map((keys) => keys.slice(0, order.length))).toContainEqual(order);
  }
});
