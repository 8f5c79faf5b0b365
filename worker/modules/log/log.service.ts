import type { LogText } from '#schema/contracts/log.ts';
import type { Base } from '../../app/base.ts';
import { AppError } from '../../app/errors.ts';
import { fromBase64 } from '../../shared/base64.ts';
import { createEntriesReader, withLength } from './entry-bundles.ts';
import type { LogKey } from './log-key.ts';
import { createLogRepository, type Checkpoint } from './log.repository.ts';
import { createLogTextsRepository, type TextsQuery } from './log-texts.repository.ts';
import { hashesOf, TILE_WIDTH } from './merkle.ts';
import { PUBLISHED_CHECKPOINT } from './sequencer.service.ts';

/** Matches a level from 0 to 63, a tile number such as `x001/x234/067`, and optionally a width from 1 to 255. */
const TILE_PATH =
  /^(entries|\d|[1-5]\d|6[0-3])\/((?!x000)(?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d?|1\d\d|2[0-4]\d|25[0-5]))?$/;

/** Parses a tile's path after `/tile/` (https://c2sp.org/tlog-tiles). Returns null for any other format. */
export function readTilePath(path: string) {
  const [, level = '', number = '', width = TILE_WIDTH] = TILE_PATH.exec(path) ?? [];
  return level === '' ? null : { level, n: Number(number.replace(/[x/]/g, '')), width: Number(width) };
}

interface LogServiceOptions extends Pick<Base, 'db'> {
  readonly key: LogKey;
  readonly bucket: Pick<R2Bucket, 'get'>;
  readonly witnesses: { cosigned(checkpoint: Checkpoint): Promise<string> };
}

/** Serves the log's files (https://c2sp.org/tlog-tiles) and texts. */
export function createLogService({ db, key, bucket, witnesses }: LogServiceOptions) {
  const repository = createLogRepository(db);
  const texts = createLogTextsRepository(db);
  const readHashes = async (tile: string): Promise<Uint8Array<ArrayBuffer>[]> =>
    hashesOf((await repository.findTiles([tile])).get(tile) ?? '').map(fromBase64);

  const readEntries = createEntriesReader({ db, bucket });
  const readBundle = async (n: number, width: number): Promise<Uint8Array<ArrayBuffer>[]> => {
    const after = n * TILE_WIDTH;
    const { size, archived } = await repository.readSizes();
    if (size < after + width) return [];
    const entries = await readEntries({ after, limit: width, archived });
    if (entries.length < width) throw new Error(`The log lacks entries of bundle ${n}`);
    return entries.map(withLength);
  };

  return {
    verifierKey: key.verifierKey,

    async checkpoint(): Promise<string | null> {
      const checkpoint = await repository.findCheckpoint();
      if (checkpoint !== null) return witnesses.cosigned(checkpoint);
      // A database restored from the nightly export has no checkpoint, and can't sign one if it lacks entries.
      return (await (await bucket.get(PUBLISHED_CHECKPOINT))?.text()) ?? null;
    },

    /** Returns a tile or a bundle of entries; null if no checkpoint covers all of it. */
    async tile(path: string): Promise<Blob | null> {
      const tile = readTilePath(path);
      if (tile === null) return null;
      const { level, n, width } = tile;
      const read = () => (level === 'entries' ? readBundle(n, width) : readHashes(`${level}/${n}`));
      // Rows may move to R2 after their place was read, so it's read once more.
      const parts = await read().catch(read);
      return parts.length < width ? null : new Blob(parts.slice(0, width));
    },

    async texts(query: TextsQuery): Promise<{ rows: readonly LogText[]; nextCursor: string | null }> {
      const page = await texts.list(query);
      if (page === null) throw new AppError({ code: 'callers.not_found' });
      return { rows: page.texts, nextCursor: page.next === null ? null : String(page.next) };
    },
  };
}
