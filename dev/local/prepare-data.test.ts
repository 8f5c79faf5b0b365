import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readMigrations } from '../build/migrations.ts';
import type { Settings } from '../settings.ts';
import { isFilled } from './data-folder.ts';
import { prepareData } from './prepare-data.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-prepare-'));
afterEach(() => rmSync(dataDir, { recursive: true }));

it('npm start announces that it will replace outdated local data before it does', async () => {
  const old = join(dataDir, 'chain');
  mkdirSync(old);
  writeFileSync(join(dataDir, 'complete'), '0000_baseline_01234567.sql');
  const events: string[] = [];
  const log = (line: string) => events.push(`${line} (${existsSync(old) ? 'old data' : 'no data'})`);
  const settings: Settings = { port: 1, solanaPort: 2, standInsPort: 3, dataDir, productUrl: '' };
  await prepareData(settings, { log, fill: () => Promise.resolve(log('filling')).then(() => undefined) });
  expect(events).toEqual([
    `The tables have changed since your local data were created. Replacing all data in ${dataDir}... (old data)`,
    'Creating sample data (once; about a minute)... (old data)',
    'filling (no data)',
  ]);
  expect(isFilled(dataDir, readMigrations()[0]?.name ?? '')).toBe(true);
});
