import { LOG_ARCHIVE_AFTER_MS } from '#schema/constants/log.ts';
import { HOUR_MS, SECOND_MS } from '#schema/constants/time.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import { z } from 'zod';
import type { Base } from '../../app/base.ts';
import type { Lease, Statement } from '../../shared/job-leases.ts';
import { bundleKey, createEntriesReader, readBundle, withLength } from './entry-bundles.ts';
import {
  createLogArchiveRepository,
  deleteArchived,
  insertBundle,
  type EndedCall,
} from './log-archive.repository.ts';
import { createLogRepository } from './log.repository.ts';
import { hashesOf, leafHash, TILE_WIDTH } from './merkle.ts';

const CALLS_PER_SLICE = 100;
/** A step takes up to seven statements and two files. */
const STEPS_PER_RUN = 50;
const RUN_MS = 5 * SECOND_MS;

/** The last call whose entries were deleted, and the day on which the round was finished. */
const progressSchema = z.object({ day: z.string(), at: z.number(), id: z.string() });

const FIRST = { day: '', at: 0, id: '' };

interface LogArchiveOptions extends Pick<Base, 'db' | 'leases' | 'clock'> {
  readonly bucket: Pick<R2Bucket, 'get' | 'put'>;
}

/** Moves old entries of the log to R2, in a round each day (docs/decisions/074-archives.md). */
export function createLogArchive({ db, leases, clock, bucket }: LogArchiveOptions) {
  const repository = createLogArchiveRepository(db);
  const log = createLogRepository(db);
  const readEntries = createEntriesReader({ db, bucket });

  /** Writes the next bundle and compares the file with the log's tile, which the anchored checkpoint covers. */
  const writeBundle = async (n: number): Promise<void> => {
    const archived = n * TILE_WIDTH;
    const entries = await readEntries({ after: archived, limit: TILE_WIDTH, archived });
    await bucket.put(bundleKey(n), new Blob(entries.map(withLength)));
    const written = (await readBundle(bucket, n)).map(leafHash);
    const tile = hashesOf((await log.findTiles([`0/${n}`])).get(`0/${n}`) ?? '');
    if (tile.length !== TILE_WIDTH || tile.join() !== written.join()) {
      throw new Error(`${bundleKey(n)} differs from the log`);
    }
  };

  const runOnce = async (lease: Lease) => {
    const endsAt = clock.now() + RUN_MS;
    const today = toDay(clock.now());
    let progress = lease.cursor === null ? FIRST : progressSchema.parse(JSON.parse(lease.cursor));
    const done = { bundles: 0, entries: 0 };
    for (let step = 0; step < STEPS_PER_RUN && clock.now() <= endsAt; step++) {
      await lease.save();
      const { covered, checkedAt, archived, archivedUntil, isExporting } = await repository.readState();
      if (isExporting) break;
      if (covered >= archived + TILE_WIDTH) {
        const n = archived / TILE_WIDTH;
        await writeBundle(n);
        await lease.commit({ statements: insertBundle(n), cursor: JSON.stringify(progress) });
        done.bundles += 1;
        continue;
      }
      // Events that are written at once may have ids in another order than their times.
      const until = Math.min(checkedAt - LOG_ARCHIVE_AFTER_MS, archivedUntil - HOUR_MS);
      const calls = await repository.listEnded({
        from: [progress.at, progress.id],
        until,
        limit: CALLS_PER_SLICE,
      });
      const last = calls.at(-1);
      const next = last ? { ...progress, at: last.endedAt, id: last.id } : { ...progress, day: today };
      const rows = await lease.commit({ statements: deletionsOf(calls), cursor: JSON.stringify(next) });
      done.entries += rows.at(-1)?.length ?? 0;
      if (last === undefined) break;
      progress = next;
    }
    return done.bundles + done.entries > 0 ? done : null;
  };

  return {
    archive: () => leases.run({ job: 'log.archive', work: runOnce }),
  };
}

function deletionsOf(calls: readonly EndedCall[]): Statement[] {
  const ids = calls.flatMap(({ id, previousId }) => (previousId === null ? [id] : [id, previousId]));
  return ids.length === 0 ? [] : deleteArchived(ids);
}
