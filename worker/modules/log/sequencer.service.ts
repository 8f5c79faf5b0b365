import { LOG_CHECKPOINT_MAX_ENTRIES, LOG_DUE_MS, LOG_SEQUENCE_MS } from '#schema/constants/log.ts';
import type { Base } from '../../app/base.ts';
import { describeError } from '../../shared/describe-error.ts';
import { createEntriesReader } from './entry-bundles.ts';
import { growLog } from './grow-log.ts';
import { keysContent, type LogKey } from './log-key.ts';
import { createLogRepository, type KeysRow } from './log.repository.ts';
import { edgeOf } from './merkle.ts';

/** The R2 key of a copy of the newest checkpoint. Comparing with it detects a database that has lost entries. */
export const PUBLISHED_CHECKPOINT = 'log/checkpoint';

/** Each checkpoint takes up to 18 statements. The next run adds the remaining entries. */
const CHECKPOINTS_PER_RUN = 40;

interface SequencerOptions extends Pick<Base, 'db' | 'alarmOnce' | 'clock'> {
  readonly key: LogKey;
  readonly oldKey: LogKey | null;
  readonly wallet: { address(): string };
  readonly bucket: Pick<R2Bucket, 'get' | 'put'>;
}

export function createSequencerService(options: SequencerOptions) {
  const { db, key, bucket, alarmOnce, clock } = options;
  const repository = createLogRepository(db);
  const readEntries = createEntriesReader(options);
  const appendKeysIfChanged = createKeysAppender(options);
  const readPublished = async (): Promise<{ size: number; root: string }> => {
    const note = await (await bucket.get(PUBLISHED_CHECKPOINT))?.text();
    const [, size = '0', root = ''] = note?.split('\n') ?? [];
    return { size: Number(size), root };
  };

  /** Raises an alarm and throws, because the database contradicts the published log, so nothing may be signed. */
  const refuse = async (problem: string): Promise<never> => {
    await alarmOnce({ kind: 'log.contradiction', details: { problem } });
    throw new Error(problem);
  };

  const raiseIfLate = async (error: unknown): Promise<void> => {
    const since = await repository.waitingSince();
    if (since === null || clock.now() - since <= LOG_DUE_MS) return;
    const details = { since: new Date(since).toISOString(), error: describeError(error) };
    await alarmOnce({ kind: 'log.not_sequenced', details });
  };

  const addCheckpoint = async (published: { size: number; root: string }): Promise<number> => {
    const { checkpoint, lastId, archived, newest } = await repository.readEnds();
    const size = checkpoint?.size ?? 0;
    if (lastId < published.size) {
      await refuse(`The log has ${lastId} of ${published.size} published entries`);
    }
    const isChanged = await appendKeysIfChanged(newest);
    if (lastId === size && !isChanged) return 0;
    // After a restore, a checkpoint must equal the published one.
    const missing = published.size > size ? published.size - size : LOG_CHECKPOINT_MAX_ENTRIES;
    const limit = Math.min(missing, LOG_CHECKPOINT_MAX_ENTRIES);
    const [hashes, entries] = await Promise.all([
      repository.findTiles(edgeOf(size)),
      readEntries({ after: size, limit, archived }),
    ]);
    const grown = growLog({ size, hashes }, entries);
    if (grown.size === published.size && grown.root !== published.root) {
      await refuse(`The log differs from its published checkpoint of ${published.size} entries`);
    }
    const note = key.signCheckpoint(grown);
    try {
      await repository.commit({ ...grown, previousSize: size, note, at: clock.now() });
    } catch (error) {
      const newest = await repository.findCheckpoint();
      if ((newest?.size ?? 0) > size) return 0;
      throw error;
    }
    if (grown.size > published.size) await bucket.put(PUBLISHED_CHECKPOINT, note);
    return entries.length;
  };

  return {
    /**
     * Signs checkpoints until all entries are in the log, or for `LOG_SEQUENCE_MS`, at most CHECKPOINTS_PER_RUN. Several runs at once are harmless.
     * @returns the number of added entries
     * @throws if the database has lost entries that were published
     */
    async sequence(): Promise<number> {
      const endsAt = clock.now() + LOG_SEQUENCE_MS;
      try {
        const published = await readPublished();
        let added = 0;
        for (let checkpoints = 0; checkpoints < CHECKPOINTS_PER_RUN; checkpoints++) {
          const last = await addCheckpoint(published);
          added += last;
          if (last === 0 || clock.now() >= endsAt) break;
        }
        return added;
      } catch (error) {
        await raiseIfLate(error);
        throw error;
      }
    },
  };
}

/** Returns a function that appends a `keys` entry unless the newest one has our key and wallet. */
function createKeysAppender({ db, key, oldKey, wallet, clock }: SequencerOptions) {
  const repository = createLogRepository(db);
  const signers = oldKey === null ? [key] : [key, oldKey];
  return async (newest: KeysRow | null): Promise<boolean> => {
    const keys = { key: key.verifierKey(), wallet: wallet.address() };
    if (newest?.keys.key === keys.key && newest.keys.wallet === keys.wallet) return false;
    const time = clock.now();
    const content = keysContent({ ...keys, time, before: newest?.keys ?? null, signers });
    await repository.appendKeys({ content, at: time, before: newest });
    return true;
  };
}
