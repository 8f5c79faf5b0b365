import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from './backup/restore-backup.ts';
import { isPortTaken } from './check-ports.ts';
import { readSettings, root } from './settings.ts';

const USAGE = `Usage: npm run restore -- --from latest|YYYY-MM-DD [--into <folder>] [--sql <file>] [--env staging|production]
  --into  an empty folder; without it, .local/restored
  --sql   also writes the database as SQL, for "wrangler d1 execute"
  --env   reads that environment's bucket with wrangler's login; without it, the local world's bucket
See "Backup and restore" in docs/OPERATIONS.md.`;

/** @throws Error if the flags are wrong */
function readFlags() {
  const { values } = parseArgs({
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

/** @throws Error if the local world runs */
async function findLocalBucket(): Promise<{ readonly stateDir: string }> {
  const { port, dataDir } = readSettings(process.env);
  if (await isPortTaken(port)) {
    throw new Error(`Stop what runs on port ${port} first: it writes to the bucket.`);
  }
  return { stateDir: join(dataDir, 'state') };
}

try {
  const { from, into, env, sql } = readFlags();
  await restoreBackup({
    from,
    into,
    source: env === undefined ? await findLocalBucket() : { environment: env },
    ...(sql === undefined ? {} : { sqlFile: sql }),
    log: (line) => console.log(line),
  });
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
