import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { LogRecord } from '#schema/contracts/log.ts';
import { leafHash, rootOf } from '../modules/log/merkle.ts';
import { fromBase64 } from '../shared/base64.ts';
import { canonicalJson, type Json } from '../shared/canonical-json.ts';
import { createDatabase, runBatch } from '../shared/database.ts';
import {
  appendLogEntry,
  createSalt,
  readAppended,
  type AppendedEntry,
  type LogEvent,
} from '../shared/log-entries.ts';
import { sha256 } from '../shared/sha256.ts';
import { readResponse } from './responses.ts';
import { testEnv, type TestApp } from './test-app.ts';

export type LogEntry = Readonly<Record<string, Json>> & {
  readonly kind: string;
  readonly caller?: string;
  readonly number?: number;
  readonly previous?: string | null;
  readonly content?: Readonly<Record<string, Json>>;
};

/** Builds the opening of a call that isn't in the table `calls`. */
export function eventOf(callId: string, changes: Partial<LogEvent> = {}): LogEvent {
  return {
    callerId: 'caller',
    kind: 'opened',
    callId,
    subjectId: callId,
    content: { call: callId },
    salt: createSalt(),
    at: 1_800_000_000_000,
    ...changes,
  };
}

export const endOf = (callId: string, changes: Partial<LogEvent> = {}): LogEvent =>
  eventOf(callId, { kind: 'ended', salt: null, ...changes });

/** Appends log entries. Returns those that were written. */
export async function appendEvents(...events: readonly LogEvent[]): Promise<AppendedEntry[]> {
  const rows: Record<string, unknown>[] = [];
  for (let at = 0; at < events.length; at += 100) {
    const statements = events.slice(at, at + 100).map((each) => appendLogEntry(each, sql`1`));
    rows.push(...(await runBatch(createDatabase(testEnv.DB), statements)).flat());
  }
  return rows.map(readAppended);
}

export interface OpenedNote {
  readonly text: string;
  readonly lines: readonly string[];
}

/** Reads a signed note. @throws if this verifier key didn't sign it */
export async function openNote(note: string, verifierKey: string): Promise<OpenedNote> {
  const [, name = '', id = '', key = ''] = /^(.+)\+([\da-f]{8})\+(\S+)$/.exec(verifierKey.trim()) ?? [];
  const [, text = '', signer, signature = ''] = /^([\s\S]+\n)\n— (\S+) (\S+)\n/.exec(note) ?? [];
  const bytes = fromBase64(signature);
  const hexId = Array.from(bytes.slice(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
  expect([signer, hexId]).toEqual([name, id]);
  const publicKey = await crypto.subtle.importKey('raw', fromBase64(key).slice(1), 'Ed25519', true, [
    'verify',
  ]);
  const isRight = await crypto.subtle.verify(
    'Ed25519',
    publicKey,
    bytes.slice(4),
    new TextEncoder().encode(text),
  );
  expect(isRight).toBe(true);
  return { text, lines: text.split('\n').slice(0, -1) };
}

const readText = async (app: TestApp, path: string) => {
  const response = await app.request(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};

export async function readCheckpoint(app: TestApp): Promise<{ size: number; root: string }> {
  const { lines } = await openNote(await readText(app, '/log/checkpoint'), await readText(app, '/log/key'));
  expect(lines).toHaveLength(3);
  return { size: Number(lines[1]), root: String(lines[2]) };
}

async function readBundle(app: TestApp, path: string): Promise<string[]> {
  const response = await app.request(path);
  expect([path, response.status]).toEqual([path, 200]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const entries: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    entries.push(new TextDecoder().decode(bytes.slice(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return entries;
}

/**
 * Reads the whole log, and checks its root, each caller's chain and each map.
 * @returns its entries
 */
export async function readLog(app: TestApp): Promise<LogEntry[]> {
  const { size, root } = await readCheckpoint(app);
  const texts: string[] = [];
  for (let n = 0; n * 256 < size; n++) {
    const width = Math.min(256, size - n * 256);
    const path = `/log/tile/entries/${String(n).padStart(3, '0')}${width === 256 ? '' : `.p/${width}`}`;
    texts.push(...(await readBundle(app, path)));
  }
  expect(rootOf(texts.map(leafHash))).toBe(root);
  const entries = texts.map((text) => JSON.parse(text) as LogEntry);
  expect(entries.map((entry) => canonicalJson(entry))).toEqual(texts);
  checkChains(entries, texts);
  return entries;
}

function checkChains(entries: readonly LogEntry[], texts: readonly string[]): void {
  const last = new Map<string, { number: number; hash: string }>();
  let maps = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'map') {
      expect(entry.content?.['size']).toBe(index);
      // A map has 65,536 leaves, so only some maps are recomputed.
      if (maps++ < 2 || index === entries.length - 1) expect(entry.content?.['root']).toBe(mapRootOf(last));
      continue;
    }
    const { caller = '', number, previous } = entry;
    const before = last.get(caller);
    expect({ number, previous }).toEqual({
      number: (before?.number ?? 0) + 1,
      previous: before?.hash ?? null,
    });
    last.set(caller, { number: Number(number), hash: leafHash(texts[index] ?? '') });
  }
}

function mapRootOf(last: ReadonlyMap<string, { number: number; hash: string }>): string {
  const leaves = Array.from({ length: 65_536 }, () => '');
  for (const [caller, { number, hash }] of [...last].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    leaves[mapIndexOf(caller)] += `${caller} ${number} ${hash}\n`;
  }
  return rootOf(leaves.map(leafHash));
}

function mapIndexOf(caller: string): number {
  const [high = 0, low = 0] = fromBase64(sha256(caller));
  return high * 256 + low;
}

export const readRecord = async (app: TestApp, callerId: string): Promise<LogRecord> =>
  readResponse<LogRecord>(app.request(`/log/callers/${callerId}`));

/** Checks a record's proof and position in the map. @throws if one is wrong */
export function checkRecord(record: LogRecord, { size, root }: { size: number; root: string }): void {
  const { map, entries, minutes, proof } = record;
  const hashOfEntry = (entry: object) => leafHash(canonicalJson(entry as Json));
  const leaves = new Map(
    [map, ...entries, ...minutes].map(({ index, entry }) => [index, hashOfEntry(entry)]),
  );
  const rest = [...proof];
  const rootIn = (start: number, end: number): string => {
    if (![...leaves.keys()].some((index) => index >= start && index < end)) return rest.shift() ?? '';
    if (end - start === 1) return leaves.get(start) ?? '';
    let width = 1;
    while (width * 2 < end - start) width *= 2;
    return rootOf([rootIn(start, start + width), rootIn(start + width, end)]);
  };
  expect([rootIn(0, size), rest]).toEqual([root, []]);
  const index = mapIndexOf(record.caller);
  const mapRoot = map.path.reduce(
    (hash, other, level) => rootOf(Math.floor(index / 2 ** level) % 2 === 0 ? [hash, other] : [other, hash]),
    leafHash(map.leaf),
  );
  expect(map.path).toHaveLength(16);
  expect(map.entry['content']).toMatchObject({ root: mapRoot, size: size - 1 });
  const { index: _, entry } = entries.at(-1) ?? { index: 0, entry: null };
  const line = entry === null ? undefined : `${record.caller} ${entries.length} ${hashOfEntry(entry)}`;
  expect(map.leaf.split('\n').find((each) => each.startsWith(`${record.caller} `))).toBe(line);
}
