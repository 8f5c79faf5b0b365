import { findLocalBucket, readFlags } from './restore-flags.ts';

const USAGE = `Usage: npm run restore -- --from latest|YYYY-MM-DD [--into <folder>] [--sql <file>] [--env staging|production]
  --into  an empty folder; without it, .local/restored
  --sql   also writes the database as SQL, for "wrangler d1 execute"
  --env   reads that environment's bucket with wrangler's login; without it, the local environment's bucket
See "Backup and restore" in docs/OPERATIONS.md.`;

try {
  const { from, into, env, sql } = readFlags(process.argv.slice(2));
  const source = env === undefined ? await findLocalBucket(process.env) : { environment: env };
  // Loads wrangler, so wrong flags are reported first.
  const { restoreBackup } = await import('./restore-backup.ts');
  await restoreBackup({
    from,
    into,
    source,
    ...(sql === undefined ? {} : { sqlFile: sql }),
    log: (line) => console.log(line),
  });
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
