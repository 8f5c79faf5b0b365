import { hashLeaf, sha256, signNote, toCanonical, type Json } from './build-log.ts';
import { createRandom } from './plan.ts';
import { createStore } from './site.ts';
import { ORIGIN, signerOf } from './tamper.ts';

// The record of a busy caller in a large log. All other entries are random hashes.

export interface LargeLogOptions {
  readonly size: number;
  readonly calls: number;
  /** The number of entries in a minute, including the map entry that ends it. */
  readonly entriesPerMinute: number;
}

const START = Date.UTC(2026, 0, 1);
const CALLER = 'c0ffee00-0000-4000-8000-000000000001';
const MINUTE_MS = 60_000;

const levelsOf = (leaves: Buffer[]): Buffer[][] => {
  const levels = [leaves];
  for (let below = leaves; below.length > 1; below = levels.at(-1) ?? []) {
    const level: Buffer[] = [];
    for (let at = 0; at + 1 < below.length; at += 2) {
      level.push(sha256(Buffer.of(1), below[at] as Buffer, below[at + 1] as Buffer));
    }
    levels.push(level);
  }
  return levels;
};

/** Returns the hash of a range. Its start must be a multiple of its width, rounded up to a power of two. */
function rangeHash(levels: Buffer[][], from: number, to: number): Buffer {
  const level = Math.log2(to - from);
  if (Number.isInteger(level)) return levels[level]?.[from / (to - from)] as Buffer;
  const midpoint = from + 2 ** Math.floor(level);
  return sha256(Buffer.of(1), rangeHash(levels, from, midpoint), rangeHash(levels, midpoint, to));
}

function prove(levels: Buffer[][], wanted: readonly number[], from: number, to: number): Buffer[] {
  if (wanted.length === 0) return [rangeHash(levels, from, to)];
  if (to - from === 1) return [];
  const midpoint = from + 2 ** (Math.ceil(Math.log2(to - from)) - 1);
  return [
    ...prove(
      levels,
      wanted.filter((index) => index < midpoint),
      from,
      midpoint,
    ),
    ...prove(
      levels,
      wanted.filter((index) => index >= midpoint),
      midpoint,
      to,
    ),
  ];
}

/** Returns the record, the verifier key and the caller's figures, as the site would serve them. */
export function largeRecord({ size, calls, entriesPerMinute }: LargeLogOptions) {
  const random = createRandom(7);
  const isMap = (index: number) => index % entriesPerMinute === entriesPerMinute - 1 || index === size - 1;
  const timeOf = (index: number) => START + Math.ceil((index + 1) / entriesPerMinute) * MINUTE_MS;
  const places = new Set<number>();
  while (places.size < 2 * calls) {
    const index = random(0, size - 2);
    if (!isMap(index)) places.add(index);
  }
  const indexes = [...places].sort((one, other) => one - other);
  const leaves = Array.from({ length: size }, (_, index) => sha256(String(index)));
  const hash = (text: string) => sha256(text).toString('base64');
  let previous: string | null = null;
  const changes: number[] = [];
  const put = (index: number, entry: Json) => {
    const leaf = hashLeaf(toCanonical(entry));
    leaves[index] = leaf;
    return { index, entry, hash: leaf.toString('base64') };
  };
  const entries = indexes.map((index, at) => {
    const call = `ca11${String(Math.floor(at / 2)).padStart(4, '0')}-0000-4000-8000-000000000000`;
    const time = timeOf(index) - 30_000;
    const salt = hash(`salt ${at - (at % 2)}`);
    const openedAt = timeOf(indexes[at - (at % 2)] as number) - 30_000;
    const entryPrice = `0.0000${random(10_000, 99_999)}`;
    const opening = {
      kind: 'opened',
      time: openedAt,
      call,
      mint: `${hash(call).slice(0, 40)}pump`,
      symbol: 'TOKEN',
      entryPrice: `0.000012${at - (at % 2)}`,
      target: null,
      stop: null,
      isPaidPromotion: false,
      unranked: null,
      quotes: hash(`quotes ${call}`),
      thesis: null,
    };
    const common = { caller: CALLER, number: at + 1, previous };
    const commitment = sha256(Buffer.from(salt, 'base64'), toCanonical(opening)).toString('base64');
    const change = (Number(entryPrice) / Number(opening.entryPrice) - 1) * 100;
    const uncounted = change > 0 && time - openedAt < 10 * MINUTE_MS ? 'short_hold' : null;
    const content = {
      kind: 'ended',
      time,
      call,
      endPrice: entryPrice,
      uncounted,
      automatic: null,
      quotes: hash(`quotes ${at}`),
    };
    if (at % 2 === 1) changes.push(uncounted === null ? change : 0);
    const entry =
      at % 2 === 0
        ? { ...common, kind: 'sealed', commitment }
        : { ...common, kind: 'ended', content, reveals: [{ content: opening, number: at, salt }] };
    const placed = put(index, entry);
    previous = placed.hash;
    return { index, entry };
  });
  const leaf = `${CALLER} ${entries.length} ${previous}\n`;
  const { root, path } = mapOf(leaf);
  const around = indexes.flatMap((index) => {
    let [before, after] = [index - 1, index + 1];
    while (before >= 0 && !isMap(before)) before -= 1;
    while (!isMap(after)) after += 1;
    return [before, after];
  });
  const mapAt = (index: number) => {
    const content = {
      root: index === size - 1 ? root : hash(`map ${index}`),
      size: index,
      time: timeOf(index),
    };
    return put(index, { kind: 'map', content });
  };
  const maps = [...new Set([...around, size - 1])]
    .filter((index) => index >= 0)
    .sort((one, other) => one - other);
  const minutes = maps.map(mapAt).map(({ index, entry }) => ({ index, entry }));
  const levels = levelsOf(leaves);
  const wanted = [...new Set([...indexes, ...maps])].sort((one, other) => one - other);
  const signer = signerOf(1);
  const checkpoint = signNote(
    `${ORIGIN}\n${size}\n${rangeHash(levels, 0, size).toString('base64')}\n`,
    signer,
  );
  const map = { index: size - 1, entry: minutes.at(-1)?.entry, leaf, path };
  const proof = prove(levels, wanted, 0, size).map((one) => one.toString('base64'));
  const record = { caller: CALLER, checkpoint, map, entries, minutes, proof, texts: [], anchor: null };
  return { record, key: signer.line, changes, caller: CALLER, now: timeOf(size) };
}

/** Returns the root of a map with only this leaf. */
function mapOf(leaf: string) {
  const index = sha256(CALLER).readUInt16BE(0);
  const path: string[] = [];
  let [node, empty] = [hashLeaf(leaf), hashLeaf('')];
  for (let level = 0; level < 16; level += 1) {
    path.push(empty.toString('base64'));
    const isRight = ((index >> level) & 1) === 1;
    node = sha256(Buffer.of(1), ...(isRight ? [empty, node] : [node, empty]));
    empty = sha256(Buffer.of(1), empty, empty);
  }
  return { root: node.toString('base64'), path };
}

/** Serves the record, its checkpoint's key and the caller's figures. */
export function largeSite({ record, key, changes, caller, now }: ReturnType<typeof largeRecord>) {
  const text = JSON.stringify(record);
  const handle = 'busy_caller';
  const sorted = changes.toSorted((one, other) => one - other);
  const midpoint = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const all = { medianReturn: mean(midpoint), bestReturn: sorted.at(-1), worstReturn: sorted[0] };
  const endedCalls = changes.length;
  const counts = { totalCalls: endedCalls, endedCalls, rankedCalls: endedCalls, lastCallTimestamp: null };
  const winRate = mean(changes.map((change) => (change > 0 ? 100 : 0)));
  const name = { twitterHandle: handle, firstName: 'Busy', lastName: 'Caller' };
  const profile = { id: caller, ...name, winRate, avgReturn: mean(changes), ...counts };
  const responses: Readonly<Record<string, string>> = {
    [`/log/callers/${caller}`]: text,
    [`/api/callers/${handle}`]: JSON.stringify(profile),
    [`/api/callers/${caller}/statistics`]: JSON.stringify({ windows: { all } }),
  };
  const source = {
    fetchText: async (path: string) => responses[path] ?? '',
    fetchBytes: async () => new Uint8Array(),
    fetchPage: async () => ({ text: '[]', next: null }),
  };
  return { text, options: { source, handle, now, pinnedKey: key, store: createStore() } };
}
