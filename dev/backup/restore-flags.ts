import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isPortTaken } from '../local/check-ports.ts';
import { readSettings, root } from '../settings.ts';

/** @throws Error if the flags of `npm run restore` are wrong */
export function readFlags(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      into: { type: 'string', default: join(root, '.local/restored') },
      env: { type: 'string' },
      sql: { type: 'string' },
    },
  });
  const { from, into, env, sql } = values;
  if (from === undefined || !/^(latest|\d{4}-\d\d-\d\d)$/.test(from)) {
    throw new Error('Name a day: --from 2026-11-22, or --from latest.');
  }
  if (env !== undefined && env !== 'staging' && env !== 'production') {
    throw new Error(`There is no environment ${env}.`);
  }
  if (existsSync(join(into, 'v3/d1'))) {
    throw new Error(`${into} already has a database. Delete the folder, or choose another one with --into.`);
  }
  return { from, into, env, sql };
}

/** @throws Error if the local environment runs */
export async function findLocalBucket(env: NodeJS.ProcessEnv): Promise<{ readonly stateDir: string }> {
  const { port, dataDir } = readSettings(env);
  if (await isPortTaken(port)) {
    throw new Error(`Stop what runs on port ${port} first: it writes to the bucket.`);
  }
  return { stateDir: join(dataDir, 'state') };
}
