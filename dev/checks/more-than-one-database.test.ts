import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { beforeAll, expect, it } from 'vitest';
import { allTables } from '#schema/tables/table.ts';
import { root } from '../settings.ts';

const PAGE = 'docs/decisions/075-more-than-one-database.md';
/** It defines `runBatch`. */
const DEFINITION = 'worker/shared/database.ts';
const BATCH = /\b(?:runBatch|appendLogEntry|\.batch)\(|\blease\.commit\(/;
const JOB = /^ {4}'(\w+\.\w+)': /gm;

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read(PAGE);
const unnamed = (names: readonly string[]) => names.filter((name) => !page.includes(`\`${name}\``));

beforeAll(async () => {
  for (const file of globSync('schema/tables/*.ts', { cwd: root })) await import(join(root, file));
});

it(`${PAGE} says what happens to each file with an atomic batch: add it to "Atomic batches"`, () => {
  const files = globSync('worker/**/*.ts', { cwd: root, exclude: ['worker/test-support/**'] }).filter(
    (file) => !file.endsWith('.test.ts') && file !== DEFINITION && BATCH.test(read(file)),
  );
  expect(files.length).toBeGreaterThan(40);
  expect(unnamed(files.map((file) => basename(file)))).toEqual([]);
});

it(`${PAGE} says what happens to each unique index: add it to "Global keys"`, () => {
  const indexes = allTables().flatMap((table) =>
    getTableConfig(table).indexes.flatMap(({ config }) => (config.unique ? [config.name] : [])),
  );
  expect(indexes.length).toBeGreaterThan(20);
  expect(unnamed(indexes)).toEqual([]);
});

it(`${PAGE} says where each table lives: add it to "Where each table lives"`, () => {
  expect(unnamed(allTables().map((table) => getTableConfig(table).name))).toEqual([]);
});

it(`${PAGE} says where each job of the cron runs: add it to "Jobs and hubs"`, () => {
  const jobs = [...read('worker/jobs/every-minute.cron.ts').matchAll(JOB)].map(([, job]) => job ?? '');
  expect(jobs.length).toBeGreaterThan(30);
  expect(unnamed(jobs)).toEqual([]);
});
