import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { leafHash, rootOf } from '../modules/log/merkle.ts';
import { fromBase64 } from '../shared/base64.ts';
import { canonicalJson, type Json } from '../shared/canonical-json.ts';
import { createDatabase, runBatch } from '../shared/database.ts';
import { createSalt, type LogEvent } from '../modules/log/log-entries.ts';
import { appendLogEntry } from '../modules/log/log-entries.repository.ts';
import { testEnv, type TestApp } from './test-app.ts';

export type LogEntry = Readonly<Record<string, Json>> & {
  readonly kind: string;
  readonly caller?: string;
  readonly number?: number;
  readonly previous?: string | null;
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

/** Appends log entries. Returns the ids of those that were written. */
export async function appendEvents(...events: readonly LogEvent[]): Promise<number[]> {
  const rows: Record<string, unknown>[] = [];
  for (let at = 0; at < events.length; at += 100) {
    const statements = events.slice(at, at + 100).map((each) => appendLogEntry(each, sql`1`));
    rows.push(...(await runBatch(createDatabase(testEnv.DB), statements)).flat());
  }
  return rows.map(({ id }) => Number(id));
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
 * Reads the whole log, and checks its root and each caller's chain.
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
  for (const [index, { caller, number, previous }] of entries.entries()) {
    if (caller === undefined) continue;
    const before = last.get(caller);
    expect({ number, previous }).toEqual({
      number: (before?.number ?? 0) + 1,
      previous: before?.hash ?? null,
    });
    last.set(caller, { number: Number(number), hash: leafHash(texts[index] ?? '') });
  }
}
