import { z } from 'zod';
import { BACKUP_AFTER_MS, BACKUPS_KEPT_MS } from '#schema/constants/running.ts';
import { DAY_MS, SECOND_MS } from '#schema/constants/time.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import type { Base } from '../../../app/base.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { sha256 } from '../../../shared/sha256.ts';
import {
  DELETIONS,
  EXPORTS,
  manifestKey,
  packRows,
  partKey,
  PAYMENTS,
  type Manifest,
} from './backup-files.ts';
import { createBackupRepository } from './backup.repository.ts';

/** Large pages, because each page costs two of a Worker's limited subrequests: a read and a written file. */
export const ROWS_PER_PAGE = 2_000;
const PAGES_PER_RUN = 80;
const RUN_MS = 5 * SECOND_MS;
/** Below R2's limit of 1,000 files per request. */
const DELETED_AT_ONCE = 500;

/** The export's progress, stored as the job's cursor. */
const progressSchema = z.object({
  day: z.string(),
  startedAt: z.number(),
  step: z.enum(['tables', 'old files', 'done']),
  /** The tables that aren't finished. The first one is in progress. */
  waiting: z.array(z.string()),
  after: z.array(z.union([z.string(), z.number()])).nullable(),
  tables: z.record(z.string(), z.object({ rows: z.number(), parts: z.number(), hash: z.string() })),
  isAlarmedLate: z.boolean(),
});

type Progress = z.infer<typeof progressSchema>;

export interface BackupOptions extends Pick<Base, 'db' | 'leases' | 'alarm' | 'clock'> {
  readonly bucket: Pick<R2Bucket, 'put' | 'list' | 'delete'>;
}

/** Writes all tables to R2 every night, and deletes old backups (docs/decisions/053-backups.md). */
export function createBackupService(options: BackupOptions) {
  const { leases, clock } = options;

  /** Returns the unfinished export, or today's new one. Null if today's is finished or not due yet. */
  const openProgress = async ({ cursor }: Lease): Promise<Progress | null> => {
    const found = progressSchema.safeParse(JSON.parse(cursor ?? 'null'));
    if (found.success && found.data.step !== 'done') return found.data;
    const startedAt = clock.now();
    const day = toDay(startedAt);
    const isDone = found.success && found.data.day >= day;
    if (isDone || startedAt % DAY_MS < BACKUP_AFTER_MS) return null;
    const tables = await createBackupRepository(options.db).listTables();
    return {
      day,
      startedAt,
      step: 'tables',
      waiting: tables,
      after: null,
      tables: {},
      isAlarmedLate: false,
    };
  };

  const runOnce = async (lease: Lease) => {
    const progress = await openProgress(lease);
    if (!progress) return null;
    if (!progress.isAlarmedLate && clock.now() - progress.startedAt > DAY_MS) {
      await options.alarm({ kind: 'backup.late', details: { day: progress.day, step: progress.step } });
      progress.isAlarmedLate = true;
    }
    const [outcome] = await Promise.allSettled([takeSteps(options, lease, progress)]);
    await lease.commit({ cursor: JSON.stringify(progress) });
    if (outcome.status === 'rejected') throw outcome.reason;
    const rows = Object.values(progress.tables).reduce((sum, table) => sum + table.rows, 0);
    return { rows, isFinished: progress.step === 'done' };
  };

  return {
    /**
     * Begins tonight's export or continues an unfinished one, within the limits of one run.
     * @returns null if there is nothing to do, or if another run is already doing it
     */
    exportOncePerDay: () => leases.run({ job: 'backup.export', work: runOnce }),
  };
}

/** Updates `progress` after each page. If a run is killed, the next one writes the same files again. */
async function takeSteps(options: BackupOptions, lease: Lease, progress: Progress): Promise<void> {
  const { clock } = options;
  const beginsAt = clock.now();
  for (let page = 0; page < PAGES_PER_RUN && clock.now() - beginsAt < RUN_MS; page++) {
    await lease.save();
    if (progress.step === 'tables' && progress.waiting.length > 0) await writePage(options, progress);
    else if (progress.step === 'tables') await writeManifest(options, progress);
    else if (progress.step === 'old files') await deleteOldFiles(options, progress);
    else return;
  }
}

async function writePage({ db, bucket }: BackupOptions, progress: Progress): Promise<void> {
  const { day, after, tables } = progress;
  const [table = '', ...others] = progress.waiting;
  const { rows, last } = await createBackupRepository(db).readPage({ table, after, limit: ROWS_PER_PAGE });
  const { rows: before, parts, hash } = tables[table] ?? { rows: 0, parts: 0, hash: '' };
  if (rows.length > 0) {
    const packed = await packRows(rows);
    await bucket.put(partKey(day, table, parts + 1), packed);
    tables[table] = {
      rows: before + rows.length,
      parts: parts + 1,
      hash: sha256(hash, packed),
    };
  }
  const isLast = rows.length < ROWS_PER_PAGE;
  progress.waiting = isLast ? others : progress.waiting;
  progress.after = isLast ? null : [...last];
}

async function writeManifest({ db, bucket, clock }: BackupOptions, progress: Progress): Promise<void> {
  const { day, startedAt, tables } = progress;
  const migration = await createBackupRepository(db).findNewestMigration();
  const manifest: Manifest = { day, startedAt, finishedAt: clock.now(), migration, tables };
  await bucket.put(manifestKey(day), JSON.stringify(manifest, null, 2));
  progress.step = 'old files';
}

async function deleteOldFiles({ bucket }: BackupOptions, progress: Progress): Promise<void> {
  const firstRetained = toDay(progress.startedAt - BACKUPS_KEPT_MS);
  let deleted = 0;
  for (const prefix of [EXPORTS, PAYMENTS, DELETIONS]) {
    const { objects } = await bucket.list({ prefix, limit: DELETED_AT_ONCE });
    const old = objects.map(({ key }) => key).filter((key) => key.slice(prefix.length) < firstRetained);
    if (old.length > 0) await bucket.delete(old);
    deleted += old.length;
  }
  if (deleted === 0) progress.step = 'done';
}
