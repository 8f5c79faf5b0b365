import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const REPLACES = /\b(?:INSERT|UPDATE)\s+OR\s+REPLACE\b.*|\bREPLACE\s+INTO\b.*/gi;

it('no SQL statement uses REPLACE, which would bypass the triggers on DELETE', () => {
  const sources = globSync(['worker/**/*.ts', 'schema/**/*.ts', 'dev/backup/*.ts'], {
    cwd: root,
    exclude: ['worker/test-support', '**/*.test.ts'],
  });
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(REPLACES) ?? []);
  // The table `ledger_checks` has no triggers.
  expect(found.filter((text) => !text.includes('UPDATE OR REPLACE ledger_checks SET day'))).toEqual([]);
});
