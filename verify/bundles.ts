import type { Bytes } from './bytes.ts';
import type { VerifyOptions } from './options.ts';
import { Declined, Problem } from './report.ts';
import { fetchBytes } from './site.ts';

// https://c2sp.org/tlog-tiles: bundles of 256 entries.

const WIDTH = 256;
const AT_ONCE = 8;
const MAX_BYTES = 30_000_000;

/** The path of a bundle. */
function pathOf(bundle: number, width: number): string {
  const digits = String(bundle);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const place = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `/log/tile/entries/${place}${width < WIDTH ? `.p/${width}` : ''}`;
}

/** Splits a bundle: each entry comes after its length, a big-endian uint16. */
export function* entriesOf(bundle: Bytes): Generator<Bytes> {
  for (let at = 0; at < bundle.length;) {
    const start = at + 2;
    at = start + (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0);
    if (at > bundle.length) throw new Problem('malformed', 'A bundle ends in the middle of an entry.');
    yield bundle.subarray(start, at);
  }
}

interface Wanted {
  /** The log's number of entries. */
  readonly size: number;
  readonly isStoreUsed: boolean;
}

/** Reads all bundles, the full ones from the store if they are there. `store` stores the new full ones. */
export async function readBundles(options: VerifyOptions, { size, isStoreUsed }: Wanted) {
  const total = Math.ceil(size / WIDTH);
  const bundles: Bytes[] = [];
  const fetched: number[] = [];
  let bytes = 0;
  let isAsked = false;
  const readOne = async (bundle: number): Promise<Bytes> => {
    const width = Math.min(WIDTH, size - bundle * WIDTH);
    const stored = isStoreUsed && width === WIDTH ? await options.store.read(`entries-${bundle}`) : null;
    if (stored !== null) return new Uint8Array(stored);
    const response = await fetchBytes(options.get, pathOf(bundle, width));
    bytes += response.length;
    if (width === WIDTH) fetched.push(bundle);
    return response;
  };
  for (let from = 0; from < total; from += AT_ONCE) {
    const places = Array.from({ length: Math.min(AT_ONCE, total - from) }, (_, place) => from + place);
    bundles.push(...(await Promise.all(places.map(readOne))));
    options.onProgress({
      step: 'Reading the log',
      done: Math.min(size, bundles.length * WIDTH),
      total: size,
    });
    const expected = fetched.length === 0 ? 0 : bytes + (total - bundles.length) * (bytes / fetched.length);
    if (isAsked || expected <= MAX_BYTES) continue;
    isAsked = true;
    const text = `The whole log has about ${Math.ceil(expected / 1e6)} MB. Download it?`;
    if (!(await options.confirm({ kind: 'bytes', text }))) throw new Declined();
  }
  const store = async () => {
    for (const bundle of fetched) {
      const content = bundles[bundle];
      if (content !== undefined) await options.store.write(`entries-${bundle}`, content);
    }
  };
  return { bundles, store };
}
