import { Problem } from '../report.ts';
import type { CallRpc, Source, Store } from '../source.ts';
import {
  merkleRoot,
  proveLeaves,
  signNote,
  toCanonical,
  type BuiltCaller,
  type BuiltLog,
  type Json,
} from './build-log.ts';

export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const ANCHOR_ADDRESS = 'Anchor1111111111111111111111111111111111111';

/** A site's responses by path. Tests change them to tamper. */
export interface Site {
  readonly log: BuiltLog;
  readonly size: number;
  readonly source: Source;
  readonly callRpc: CallRpc;
  /** Changes the JSON response at a path. */
  change<Value = Json>(path: string, change: (response: Value) => unknown): void;
  changeBytes(path: string, change: (bytes: Buffer) => Buffer): void;
  /** Adds a memo to the anchors' wallet. */
  addMemo(signature: string, memo: string, at?: number): void;
}

export const callerPath = (id: string) => `/log/callers/${id}`;

export const checkpointOf = (log: BuiltLog, size: number): string => {
  const root = merkleRoot(log.hashes.slice(0, size)).toString('base64');
  return signNote(`${log.signer.name}\n${size}\n${root}\n`, log.signer);
};

interface IndexedEntry {
  readonly index: number;
  readonly entry: Json;
}

/** Returns the map entries around these entries. */
function minutesOf(log: BuiltLog, size: number, own: readonly IndexedEntry[]): IndexedEntry[] {
  const maps = log.sizes.map((end) => end - 1).filter((index) => index < size);
  const around = own.flatMap(({ index }) => [
    maps.findLast((map) => map < index) ?? -1,
    maps.find((map) => map > index) ?? -1,
  ]);
  const indexes = [...new Set(around)].filter((index) => index >= 0).sort((one, other) => one - other);
  return indexes.map((index) => ({ index, entry: log.entries[index] as Json }));
}

/**
 * Returns the response of `/log/callers/{id}` for a log of this size, with the included entries of the
 * caller.
 */
export function recordOf(
  log: BuiltLog,
  caller: string,
  size: number,
  isIncluded: (entry: Json) => boolean = Boolean,
) {
  const entries = log.entries
    .slice(0, size)
    .map((entry, index) => ({ index, entry }))
    .filter(({ entry }) => entry['caller'] === caller && isIncluded(entry));
  const minutes = minutesOf(log, size, entries);
  const map = { index: size - 1, entry: log.entries[size - 1] as Json };
  const wanted = new Set([...entries, ...minutes, map].map(({ index }) => index));
  const known = log.callers.get(caller);
  return {
    caller,
    checkpoint: checkpointOf(log, size),
    map: { ...map, ...log.proveMap(caller, size) },
    entries,
    minutes,
    proof: proveLeaves(log.hashes.slice(0, size), wanted).map((hash) => hash.toString('base64')),
    texts: publicTexts(known, entries.length),
    anchor: anchorOf(log),
  };
}

/** Returns the texts of names and ended calls. */
function publicTexts(caller: BuiltCaller | undefined, entries: number) {
  const hidden = new Set([...(caller?.open.values() ?? [])].flat().map(({ number }) => number));
  return (caller?.texts ?? []).filter(({ number }) => !hidden.has(number) && number <= entries);
}

export function anchorOf(log: BuiltLog) {
  const place = Math.floor(log.sizes.length / 2);
  const size = log.sizes[place] as number;
  const root = merkleRoot(log.hashes.slice(0, size)).toString('base64');
  return { size, root, signature: `signature-${size}`, at: log.times[place] as number };
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

export function profileOf(id: string, caller: BuiltCaller) {
  const changes = caller.ended.filter(({ isRanked }) => isRanked).map(({ change }) => change);
  const newest = Math.max(0, ...caller.ended.map(({ endedAt }) => endedAt));
  return {
    id,
    twitterHandle: caller.handle,
    firstName: 'The',
    lastName: caller.handle,
    winRate:
      changes.length === 0 ? null : (changes.filter((change) => change > 0).length / changes.length) * 100,
    avgReturn: mean(changes),
    totalCalls: caller.totalCalls,
    endedCalls: caller.ended.length,
    rankedCalls: changes.length,
    // The log has no marks, so this figure can be anything.
    proven: changes.length >= 5 ? 1 : null,
    lastCallTimestamp: newest === 0 ? null : new Date(newest).toISOString(),
  };
}

function statisticsOf(caller: BuiltCaller) {
  const changes = caller.ended.filter(({ isRanked }) => isRanked).map(({ change }) => change);
  changes.sort((one, other) => one - other);
  const [low, high] = [
    changes[Math.floor((changes.length - 1) / 2)],
    changes[Math.floor(changes.length / 2)],
  ];
  const medianReturn = low === undefined || high === undefined ? null : (low + high) / 2;
  return {
    windows: { all: { medianReturn, bestReturn: changes.at(-1) ?? null, worstReturn: changes[0] ?? null } },
  };
}

type Profile = ReturnType<typeof profileOf>;

export function inDefaultOrder(profiles: readonly Profile[]): Profile[] {
  const key = ({ proven, avgReturn }: Profile): [number, number] => [
    proven === null ? 0 : 1,
    avgReturn ?? -100,
  ];
  return profiles.toSorted((one, other) => key(other)[0] - key(one)[0] || key(other)[1] - key(one)[1]);
}

function tileNumber(path: string): number {
  return Number(
    path
      .replace(/\.p\/\d+$/, '')
      .split('/')
      .map((part) => part.replace('x', ''))
      .join(''),
  );
}

function tileOf(log: BuiltLog, path: string): Buffer {
  const [, kind = '', place = ''] = /^\/log\/tile\/(\w+)\/(.+)$/.exec(path) ?? [];
  const width = Number(/\.p\/(\d+)$/.exec(place)?.[1] ?? 256);
  const tile = tileNumber(place);
  if (kind === 'entries') {
    const bundle = log.entries.slice(tile * 256, tile * 256 + width).map((entry) => {
      const data = Buffer.from(toCanonical(entry));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(data.length);
      return Buffer.concat([length, data]);
    });
    return Buffer.concat(bundle);
  }
  const span = 256 ** Number(kind);
  const hashes = Array.from({ length: width }, (_, at) => {
    const from = (tile * 256 + at) * span;
    return merkleRoot(log.hashes.slice(from, from + span));
  });
  return Buffer.concat(hashes);
}

function responseOf(log: BuiltLog, size: number, path: string): Json | string {
  const [, , kind = '', id = '', rest] = path.split('/');
  const callers = [...log.callers];
  if (path === '/log/key') return log.signer.line;
  if (path === '/log/checkpoint') return checkpointOf(log, size);
  if (path === '/log/anchors') return { address: ANCHOR_ADDRESS, anchors: [anchorOf(log)] };
  if (path.startsWith('/log/callers/')) return recordOf(log, id, size);
  const found = callers.find(
    ([caller, { handle }]) => kind === 'callers' && (caller === id || handle === id),
  );
  if (!found) throw new Problem('unavailable', `${path} answered 404.`);
  return rest === 'statistics' ? statisticsOf(found[1]) : profileOf(...found);
}

const PAGE = 3;

export function serve(log: BuiltLog, size = log.sizes.at(-1) as number): Site {
  const jsonChanges = new Map<string, ((response: unknown) => unknown)[]>();
  const byteChanges = new Map<string, (bytes: Buffer) => Buffer>();
  const anchor = anchorOf(log);
  const memoOf = (root: string) => `${log.signer.name} ${anchor.size} ${root}`;
  const memos = new Map([[anchor.signature, { memo: memoOf(anchor.root), at: anchor.at }]]);
  const text = (path: string, honest: () => unknown) => {
    const changes = jsonChanges.get(path) ?? [];
    const isAdded = path === '/api/callers/rival' && changes.length > 0;
    const response = changes.reduce((current, change) => change(current), isAdded ? {} : honest());
    return typeof response === 'string' ? response : JSON.stringify(response);
  };
  const directory = () => inDefaultOrder([...log.callers].map(([id, caller]) => profileOf(id, caller)));
  return {
    log,
    size,
    source: {
      fetchText: async (path) => text(path, () => structuredClone(responseOf(log, size, path))),
      fetchBytes: async (path) =>
        new Uint8Array((byteChanges.get(path) ?? ((same) => same))(tileOf(log, path))),
      fetchPage: async (path) => {
        const from = Number(path.split('=')[1] ?? 0);
        const all = JSON.parse(text('/api/callers', directory)) as unknown[];
        const next = from + PAGE < all.length ? `/api/callers?cursor=${from + PAGE}` : null;
        return { text: JSON.stringify(all.slice(from, from + PAGE)), next };
      },
    },
    callRpc: async (method, [subject]) => {
      if (method === 'getSignaturesForAddress') {
        if (subject !== ANCHOR_ADDRESS) return [];
        return [...memos].map(([signature, { memo, at }]) => ({
          signature,
          memo: `[${memo.length}] ${memo}`,
          blockTime: Math.floor(at / 1_000),
        }));
      }
      const memo = memos.get(subject as string)?.memo;
      if (memo === undefined) return null;
      const accountKeys = [{ pubkey: ANCHOR_ADDRESS, signer: true }];
      const instructions = [{ programId: MEMO_PROGRAM, parsed: memo }];
      return { meta: { err: null }, transaction: { message: { accountKeys, instructions } } };
    },
    change: (path, change) => {
      jsonChanges.set(path, [...(jsonChanges.get(path) ?? []), change as (response: unknown) => unknown]);
    },
    changeBytes: (path, change) => void byteChanges.set(path, change),
    addMemo: (signature, memo, at = 0) => void memos.set(signature, { memo, at }),
  };
}

export function createStore(text: string | null = null): Store {
  let saved = text;
  return { read: () => saved, write: (next) => (saved = next) };
}
