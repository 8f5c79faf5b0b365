import { beforeEach, expect, it } from 'vitest';
import { fromBase64 } from '../../shared/base64.ts';
import { appendEvents, endOf, eventOf, openNote, readLog } from '#test/log.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { hashesOf, leafHash, rootOf } from './merkle.ts';
import { describeKey } from './signed-note.ts';
import { readTilePath } from './log.service.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function growTo(size: number): Promise<void> {
  await appendEvents(...Array.from({ length: size - 1 }, (_, index) => eventOf(`call-${index}`)));
  await app.services.logSequencer.sequence();
}

const get = async (path: string) => {
  const response = await app.request(path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
};
const statusOf = async (path: string) => (await get(path)).status;

// “It MUST be a non-negative integer encoded into zero-padded 3-digit path elements. All but the last path element
// MUST begin with an `x`. For example, index 1234067 will be encoded as `x001/x234/067`.”
it('readTilePath parses paths in the format of the tlog-tiles specification', () => {
  expect(readTilePath('0/x001/x234/067')).toEqual({ level: '0', n: 1_234_067, width: 256 });
  expect(readTilePath('63/000.p/255')).toEqual({ level: '63', n: 0, width: 255 });
  expect(readTilePath('entries/x001/000.p/1')).toEqual({ level: 'entries', n: 1_000, width: 1 });
});

// “`<L>` … MUST be a decimal ASCII integer between 0 and 63, with no additional leading zeroes. … `<W>` is the width of
// the tile, a decimal ASCII integer between 1 and 255, with no additional leading zeroes.”
it.each([
  '00/000',
  '64/000',
  '0/0',
  '0/0000',
  '0/x000/001',
  '0/001/002',
  '0/x001',
  '0/000.p/0',
  '0/000.p/256',
  '0/000.p/01',
  '0/000.p/',
  '-1/000',
  'data/000',
  '0/000/',
  '',
])('readTilePath returns null for %j', (path) => {
  expect(readTilePath(path)).toBeNull();
});

// “Full tiles MUST be exactly 256 hashes wide, or 8,192 bytes. At “level 0” tiles contain leaf hashes. At “level 1” and
// above, each hash in a tile is the Merkle Tree Hash of a *full* tile at the level below.”
it('GET /log/tile returns full tiles of 256 hashes that caches may store for a year', async () => {
  await growTo(300);
  const { headers, bytes } = await get('/log/tile/0/000');
  expect(headers.get('Content-Type')).toBe('application/octet-stream');
  expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(bytes).toHaveLength(8_192);
  const entries = await readLog(app);
  expect(entries).toHaveLength(300);
  const top = await get('/log/tile/1/000.p/1');
  const hashes = Array.from({ length: 256 }, (_, index) =>
    btoa(String.fromCharCode(...bytes.slice(index * 32, index * 32 + 32))),
  );
  expect(btoa(String.fromCharCode(...top.bytes))).toBe(rootOf(hashes));
  expect((await get('/log/tile/0/001.p/44')).bytes).toHaveLength(44 * 32);
});

// “Logs MUST serve partial tiles corresponding to tree sizes for which a checkpoint was produced … Empty tiles MUST NOT
// be served.”
it('GET /log/tile serves partial tiles of earlier checkpoints unchanged after the log has grown', async () => {
  await growTo(3);
  const paths = ['/log/tile/0/000.p/3', '/log/tile/entries/000.p/3'];
  const before = await Promise.all(paths.map(async (path) => (await get(path)).bytes));
  await appendEvents(...Array.from({ length: 300 }, (_, index) => eventOf(`more-${index}`)));
  await app.services.logSequencer.sequence();
  expect(await Promise.all(paths.map(async (path) => (await get(path)).bytes))).toEqual(before);
});

it('GET /log/tile returns 404 for tiles that no checkpoint covers', async () => {
  await growTo(10);
  await appendEvents(eventOf('unsigned'));
  const missing = [
    '0/000',
    '0/000.p/11',
    '0/001.p/1',
    '1/000.p/1',
    '9/000.p/1',
    'entries/000',
    'entries/000.p/11',
  ];
  for (const path of [...missing, 'entries/x999/x999/x999/999.p/1']) {
    const { status, headers } = await get(`/log/tile/${path}`);
    expect([path, status, headers.get('Cache-Control')]).toEqual([path, 404, 'private, no-store']);
  }
  expect(await statusOf('/log/tile/0/000.p/10')).toBe(200);
});

// “Entry bundles are sequences of big-endian uint16 length-prefixed log entries. Each entry in a bundle hashes to the
// corresponding entry in the corresponding “level 0” Merkle Tree tile.”
it('GET /log/tile serves entry bundles whose hashes equal the level 0 tile', async () => {
  await appendEvents(eventOf('a'), endOf('a', { content: { call: 'a', note: 'ü'.repeat(300) } }));
  await app.services.logSequencer.sequence();
  const { bytes } = await get('/log/tile/entries/000.p/3');
  const hashes = await get('/log/tile/0/000.p/3');
  const data: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = new DataView(bytes.buffer).getUint16(at);
    data.push(leafHash(new TextDecoder().decode(bytes.slice(at + 2, at + 2 + length))));
    at += 2 + length;
  }
  expect(data).toEqual(hashesOf(data.join('')));
  expect(data.flatMap((hash) => [...fromBase64(hash)])).toEqual([...hashes.bytes]);
});

it('GET /log/checkpoint returns 404 before the first checkpoint', async () => {
  expect(await statusOf('/log/checkpoint')).toBe(404);
});

// tlog-tiles: “with `Content-Type: text/plain; charset=utf-8`. This endpoint is mutable, so its headers SHOULD prevent
// caching beyond a few seconds.” tlog-checkpoint: “The first line is the origin … The second line is the tree size, the
// ASCII decimal representation of the number of leaves in the tree, with no leading zeroes … The third line is the root
// hash, the base64 encoding of the root … The log’s key name in its signature line SHOULD match the origin line.”
it('GET /log/checkpoint returns the newest checkpoint, signed with the key from /log/key', async () => {
  await growTo(12);
  const response = await app.request('/log/checkpoint');
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5');
  const key = await (await app.request('/log/key')).text();
  const { text, lines } = await openNote(await response.text(), key);
  const origin = testEnv.LOG_ORIGIN;
  expect(lines).toEqual([origin, '12', expect.stringMatching(/^[\w+/]{43}=$/)]);
  expect(key.split('+')[0]).toBe(origin);
  await expect(
    openNote((await (await app.request('/log/checkpoint')).text()).replace(text, `${text}x\n`), key),
  ).rejects.toThrow();
});

// signed-note: “The following verifier key example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k
// verifies the following signed note”
const EXAMPLE = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';

it('describeKey and openNote reproduce the example of the signed-note specification', async () => {
  const publicKey = fromBase64(EXAMPLE.split('+').slice(2).join('+')).slice(1);
  expect(describeKey('example.com/foo', publicKey).verifierKey).toBe(EXAMPLE);
  const note =
    'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
  expect((await openNote(note, EXAMPLE)).text).toBe('This is an example message.\n');
});
