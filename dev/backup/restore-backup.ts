import { deleteAgain, requestAgain } from './delete-again.ts';
import { readManifest, restore } from './restore.ts';
import { loadTables } from '../build/load-tables.ts';
import { withBackups, withLocalDatabase } from '../local/local-database.ts';
import { writeSql } from './write-sql.ts';

export interface RestoreBackupOptions {
  /** A day as YYYY-MM-DD, or `latest`. */
  readonly from: string;
  /** An empty folder for the restored database. `wrangler dev --persist-to` can use it. */
  readonly into: string;
  /** The local bucket in this folder, or a deployed environment's bucket. */
  readonly source: { readonly stateDir: string } | { readonly environment: string };
  /** Path of the SQL file, for `wrangler d1 execute --file`. */
  readonly sqlFile?: string;
  readonly log: (line: string) => void;
}

/** Restores a backup into a new local database, and applies the migrations since. */
export async function restoreBackup({
  from,
  into,
  source,
  sqlFile,
  log,
}: RestoreBackupOptions): Promise<void> {
  const startedAt = performance.now();
  await loadTables();
  const [stateDir, environment] =
    'environment' in source ? [into, source.environment] : [source.stateDir, null];
  const { deletedAccounts, deletionRequests } = await withBackups(stateDir, environment, async (bucket) => {
    const manifest = await readManifest(bucket, from);
    log(`Restoring the export of ${manifest.day} into ${into}...`);
    const report = await withLocalDatabase(
      into,
      (db) => restore({ db, bucket, manifest, now: Date.now() }),
      manifest.migration,
    );
    log(`Rows: ${report.rows}. Left out, because others changed during the export: ${report.leftOut}.`);
    log(`Later payments to look for on the chain: ${report.newerPayments}.`);
    log(`Payments that changed during the export, to read again: ${report.readAgain}.`);
    return report;
  });
  // With all migrations, because an older export's tables can't have deleted accounts.
  const [deleted, requested] = await withLocalDatabase(into, async (db) => [
    await deleteAgain({ db, userIds: deletedAccounts, now: Date.now() }),
    await requestAgain({ db, userIds: deletionRequests, now: Date.now() }),
  ]);
  log(`Accounts that were deleted since the export, and were deleted again: ${deleted}.`);
  log(`Accounts that will be deleted later, as requested: ${requested} of ${deletionRequests.length}.`);
  if (sqlFile !== undefined) log(`Wrote ${writeSql(into, sqlFile)} statements to ${sqlFile}.`);
  log(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}
