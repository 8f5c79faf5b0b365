// Writes the tables of schema/tables into the baseline migration: npm run migrations
import { readFileSync, writeFileSync } from 'node:fs';
import { BASELINE, composeBaseline } from './baseline.ts';

writeFileSync(BASELINE, composeBaseline(readFileSync(BASELINE, 'utf8')));
