import { ed25519 } from '@noble/curves/ed25519';
import { beforeEach, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { toBase64 } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { appendEvents, eventOf, openNote } from '#test/log.ts';
import { control, createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { describeKey } from './signed-note.ts';
import { findCosignature, readWitnesses } from './witness-key.ts';

let app: TestApp;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  app = await createTestApp();
});

const [witness] = readWitnesses(testEnv.LOG_WITNESSES);
if (!witness) throw new Error('The local environment has no witness');

let entries = 0;

/** Adds entries and a checkpoint to the log. */
async function grow(count = 1): Promise<void> {
  await appendEvents(...Array.from({ length: count }, () => eventOf(`call ${entries++}`)));
  await app.services.logSequencer.sequence();
}

const cosign = () => app.services.logWitnesses.cosign();
const readText = async (path: string) => (await app.request(path)).text();
const readCheckpoint = () => readText('/log/checkpoint');

async function isCosigned(): Promise<boolean> {
  const note = await readCheckpoint();
  const { text } = await openNote(note, await readText('/log/key'));
  const lines = note.slice(text.length + 1);
  if (lines.split('\n').length === 2) return false;
  expect(findCosignature(lines, text, witness as typeof witness & object)).not.toBeNull();
  return true;
}

const requested = async () => {
  const { requests } = await control<{ requests: { status: number }[] }>('GET', '/requests?service=witness');
  return requests.map(({ status }) => status);
};

it('a witness signs each new checkpoint, which is then served with its signature', async () => {
  expect(await cosign()).toBeNull();
  for (const count of [1, 1, 2, 4, 30, 300]) {
    await grow(count);
    expect(await isCosigned()).toBe(false);
    expect(await cosign()).toEqual({ signed: 1, failed: 0 });
    expect(await isCosigned()).toBe(true);
    expect(await cosign()).toBeNull();
  }
  expect(await requested()).toEqual([200, 200, 200, 200, 200, 200]);
});

it('if our stored signatures are lost, a witness returns its log size and signs after a proof from that size', async () => {
  await grow(3);
  await cosign();
  const lost = await query<{ size: number }>('SELECT size FROM log_cosignatures');
  await grow(5);
  await control('POST', '/faults', { service: 'witness', status: 503, count: 1 });
  expect(await cosign()).toEqual({ signed: 0, failed: 1 });
  expect(lost).toEqual([{ size: 4 }]);
  // A restored database with the same log doesn't know which checkpoint the witness has signed.
  await app.advance(HOUR_MS);
  await empty('log_cosignatures');
  expect(await cosign()).toEqual({ signed: 1, failed: 0 });
  expect(await requested()).toEqual([200, 503, 409, 200]);
  expect(await isCosigned()).toBe(true);
});

it('requests to a witness that is down are retried after increasing delays', async () => {
  await grow();
  await control('POST', '/faults', { service: 'witness', status: 503 });
  const pauses: number[] = [];
  let since = 0;
  for (let minute = 0; minute < 64; minute++) {
    const result = await cosign();
    if (result?.failed === 1) {
      pauses.push(minute - since);
      since = minute;
    }
    await app.advance(MINUTE_MS);
  }
  expect(pauses).toEqual([0, 2, 4, 8, 16, 32]);
  await control('DELETE', '/faults');
  await app.advance(HOUR_MS);
  expect(await cosign()).toEqual({ signed: 1, failed: 0 });
  expect(await isCosigned()).toBe(true);
});

it('a witness still signs if the stored record of its failures is damaged', async () => {
  await grow();
  await cosign();
  await query(`UPDATE job_leases SET cursor = '{"witness":1}' WHERE job = 'log.witness'`);
  await grow();
  expect(await cosign()).toEqual({ signed: 1, failed: 0 });
});

it('a witness that has signed a larger log refuses to sign a smaller log', async () => {
  await grow(9);
  await cosign();
  await forgetLog();
  await grow(1);
  expect(await cosign()).toEqual({ signed: 0, failed: 1 });
  expect(await isCosigned()).toBe(false);
});

const text = 'log.example/log\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const secret = new Uint8Array(32).fill(7);
const name = 'witness.example/w1';
const publicKey = ed25519.getPublicKey(secret);
const { verifierKey } = describeKey(name, publicKey, 4);
const [known] = readWitnesses(`${verifierKey} https://witness.example/prefix/`);
if (!known) throw new Error('The key is malformed');

interface Changes {
  readonly signer?: string;
  readonly body?: string;
  readonly key?: Uint8Array;
  readonly time?: bigint;
  readonly signedTime?: bigint;
  readonly header?: string;
  readonly type?: number;
}

function lineOf({ signer = name, body = text, key = secret, type = 4, ...rest }: Changes = {}): string {
  const { time = 1_679_315_147n, signedTime = time, header = 'cosignature/v1' } = rest;
  const message = new TextEncoder().encode(`${header}\ntime ${signedTime}\n${body}`);
  const bytes = new Uint8Array([
    ...describeKey(signer, publicKey, type).id,
    ...new Uint8Array(8),
    ...ed25519.sign(message, key),
  ]);
  new DataView(bytes.buffer).setBigUint64(4, time);
  return `— ${signer} ${toBase64(bytes)}`;
}

const find = (...lines: readonly string[]) =>
  findCosignature(lines.map((line) => `${line}\n`).join(''), text, known);

it('findCosignature finds the witness’s signature among signatures of other keys', () => {
  const others = [lineOf({ signer: 'witness.example/w2' }), '— witness.example/w1 AAAA', 'no signature'];
  expect(known.url).toBe('https://witness.example/prefix');
  expect(find(...others, lineOf())).toBe(lineOf());
  expect(find(...others)).toBeNull();
});

it.each<[string, Changes]>([
  ['another key', { key: new Uint8Array(32).fill(8) }],
  ['another size', { body: text.replace('20852163', '20852164') }],
  ['another root', { body: text.replace('CsUYapGG', 'DsUYapGG') }],
  ['another log', { body: text.replace('log.example', 'other.example') }],
  ['another time', { signedTime: 1n }],
  ['no time', { time: 0n }],
  ['another header', { header: 'cosignature/v2' }],
  ['a key that signs notes', { type: 1 }],
])('a cosignature with %s is ignored', (_, changes) => {
  expect(find(lineOf(changes))).toBeNull();
});

it('a valid cosignature is ignored if the same key has also made an invalid cosignature', () => {
  expect(find(lineOf(), lineOf({ signedTime: 1n }))).toBeNull();
});

it.each([
  ['the id of another key', verifierKey.replace(/\+[\da-f]{8}\+/, '+00000000+')],
  ['a key that signs notes', describeKey(name, publicKey).verifierKey],
  ['no key', 'witness.example/w1'],
])('readWitnesses rejects a witness with %s', (_, key) => {
  expect(() => readWitnesses(`${key} https://witness.example`)).toThrow();
});

async function forgetLog(): Promise<void> {
  await testEnv.BACKUPS.delete('log/checkpoint');
  for (const table of ['log_cosignatures', 'log_entries', 'log_checkpoints', 'log_tiles']) await empty(table);
}

/** Deletes all rows, although a trigger refuses it. */
async function empty(table: string): Promise<void> {
  const trigger = `${table}_delete`;
  const [saved] = await query<{ sql: string }>('SELECT sql FROM sqlite_master WHERE name = ?', trigger);
  await query(`DROP TRIGGER ${trigger}`);
  await query(`DELETE FROM ${table}`);
  await query(saved?.sql ?? '');
}
