import type { Base } from '../../app/base.ts';
import { buildEntries } from './grow-log.ts';
import { createLogRepository } from './log.repository.ts';
import { TILE_WIDTH } from './merkle.ts';

const LENGTH_BYTES = 2;

export const bundleKey = (n: number): string => `log/entries/${n}`;

/** Prefixes an entry with its length as a big-endian uint16 (https://c2sp.org/tlog-tiles). */
export function withLength(entry: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(entry);
  const result = new Uint8Array(LENGTH_BYTES + bytes.length);
  new DataView(result.buffer).setUint16(0, bytes.length);
  result.set(bytes, LENGTH_BYTES);
  return result;
}

/** Reads a full bundle from R2. @throws if it's missing */
export async function readBundle(bucket: Pick<R2Bucket, 'get'>, n: number): Promise<string[]> {
  const file = await bucket.get(bundleKey(n));
  if (file === null) throw new Error(`The archive lacks ${bundleKey(n)}`);
  const bytes = await file.arrayBuffer();
  const view = new DataView(bytes);
  const entries: string[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const start = at + LENGTH_BYTES;
    at = start + view.getUint16(at);
    entries.push(new TextDecoder().decode(bytes.slice(start, at)));
  }
  return entries;
}

interface EntriesQuery {
  readonly after: number;
  readonly limit: number;
  readonly archived: number;
}

/**
 * Reads entries of the log: those of the archive from R2, because their rows may have left the database, and at most to the
 * end of their bundle. Later ones are built from their rows, which never change.
 */
export function createEntriesReader({
  db,
  bucket,
}: Pick<Base, 'db'> & { readonly bucket: Pick<R2Bucket, 'get'> }) {
  const repository = createLogRepository(db);
  return async ({ after, limit, archived }: EntriesQuery): Promise<string[]> => {
    if (after < archived) {
      const offset = after % TILE_WIDTH;
      return (await readBundle(bucket, (after - offset) / TILE_WIDTH)).slice(offset, offset + limit);
    }
    const rows = await repository.readRows({ after, limit });
    return buildEntries(await repository.readParts(after, rows), rows);
  };
}
