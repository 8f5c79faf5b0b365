import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BASELINE, composeBaseline } from './baseline.ts';

it('the baseline migration creates the tables and indexes of schema/tables', () => {
  const baseline = readFileSync(BASELINE, 'utf8');
  expect(composeBaseline(baseline), 'Run "npm run migrations".').toBe(baseline);
});
