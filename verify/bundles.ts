import type { Bytes } from './bytes.ts';
import type { VerifyOptions } from './options.ts';
import { Problem } from './report.ts';
import { fetchBytes } from './site.ts';

// https://c2sp.org/tlog-tiles: bundles of 256 entries.

const WIDTH = 256;
const AT_ONCE = 8;
const MAX_ENTRY_BYTES = 2 + 65_535;

function pathOf(bundle: number, width: number): string {
  const digits = String(bundle);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').replace(/\d{3}(?=\d)/g, 'x$&/');
  return `/log/tile/entries/${groups}${width < WIDTH ? `.p/${width}` : ''}`;
}

/** Splits a bundle: each entry comes after its length, a big-endian uint16. Stops at one more than the most. */
function entriesOf(bundle: Bytes, most: number): Bytes[] {
  const entries: Bytes[] = [];
  for (let at = 0; at < bundle.length && entries.length <= most;) {
    const start = at + 2;
    at = start + (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0);
    if (at > bundle.length) throw new Problem('malformed', 'A bundle ends in the middle of an entry.');
    entries.push(bundle.subarray(start, at));
  }
  return entries;
}

/**
 * Reads all entries. Full bundles come from the store if it has them. The returned function `store` stores the new
 * full ones.
 */
export async function fetchEntries(
  options: VerifyOptions,
  { size, isStoreUsed }: { size: number; isStoreUsed: boolean },
) {
  const total = Math.ceil(size / WIDTH);
  const entries: Bytes[] = [];
  const fetched: [number, Bytes][] = [];
  const readOne = async (bundle: number): Promise<Bytes[]> => {
    const width = Math.min(WIDTH, size - bundle * WIDTH);
    const stored = isStoreUsed && width === WIDTH ? await options.store.read(`entries-${bundle}`) : null;
    if (stored !== null) return entriesOf(new Uint8Array(stored), width);
    const path = pathOf(bundle, width);
    const { bytes } = await fetchBytes(options.get, path, width * MAX_ENTRY_BYTES);
    const found = entriesOf(bytes, width);
    if (found.length !== width) {
      throw new Problem('malformed', 'A bundle doesn’t have the number of entries that its path names.');
    }
    if (width === WIDTH) fetched.push([bundle, bytes]);
    return found;
  };
  for (let from = 0; from < total; from += AT_ONCE) {
    const places = Array.from({ length: Math.min(AT_ONCE, total - from) }, (_, place) => from + place);
    entries.push(...(await Promise.all(places.map(readOne))).flat());
    options.onProgress({ step: 'Reading the log', done: Math.min(size, entries.length), total: size });
  }
  const store = async () => {
    for (const [bundle, bytes] of fetched) await options.store.write(`entries-${bundle}`, bytes);
  };
  return { entries, store };
}
