import { expect, it } from 'vitest';
import { dryRun } from './dry-run.ts';
import { ENVIRONMENTS } from './environments.ts';
import { createWrangler } from './wrangler.ts';

it.each(ENVIRONMENTS)(
  'a dry run of %s finds no problem in the settings and migrations',
  async (environment) => {
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    await dryRun({ environment, wrangler: createWrangler(), log, isQuick: true });
    expect(lines).toEqual([
      expect.stringContaining('configuration: valid, with invented values for X_CLIENT_ID, '),
      'configuration: to do before a deploy: APP_ORIGIN: This is still the example.',
      expect.stringContaining('migrations: D1 can read all '),
    ]);
  },
);
