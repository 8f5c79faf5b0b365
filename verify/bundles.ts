import { canonical, isSame, readJson, utf8, type Bytes } from './bytes.ts';
import { isEntry, type Entry } from './entries.ts';
import type { Log } from './log.ts';
import { Problem } from './report.ts';
import { read } from './shapes.ts';
import { TILE_WIDTH, tilePath } from './tiles.ts';
import { leafHash } from './tree.ts';

export interface LoggedEntry<Kind extends Entry = Entry> {
  readonly index: number;
  readonly hash: Bytes;
  readonly entry: Kind;
}

export async function* readEntries({
  source,
  checkpoint: { size },
  report,
}: Log): AsyncGenerator<LoggedEntry> {
  for (let start = 0; start < size; start += TILE_WIDTH) {
    const path = tilePath('entries', start / TILE_WIDTH, Math.min(TILE_WIDTH, size - start));
    const bundle = readBundle(await source.fetchBytes(path), path);
    const hashes = await Promise.all(bundle.map(leafHash));
    for (const [place, hash] of hashes.entries()) {
      const index = start + place;
      yield { index, hash, entry: readEntry(bundle[place] ?? hash, index) };
    }
    report.onProgress('Reading the log', start + bundle.length, size);
  }
}

/** Splits a bundle: each entry comes after its length, a big-endian uint16. */
function readBundle(bytes: Bytes, path: string): Bytes[] {
  const entries: Bytes[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + 2;
    at = start + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    if (at > bytes.length) throw new Problem('malformed', `${path} ends in the middle of an entry.`);
    entries.push(bytes.slice(start, at));
  }
  return entries;
}

function readEntry(bytes: Bytes, index: number): Entry {
  const value = readJson(new TextDecoder().decode(bytes));
  if (!isSame(utf8(canonical(value)), bytes)) {
    throw new Problem('malformed', `Entry ${index} of the log isn't canonical.`);
  }
  return read<Entry>(value, isEntry, `Entry ${index} of the log`);
}
