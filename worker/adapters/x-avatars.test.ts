import { expect, it, vi } from 'vitest';
import { createCaller } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import {
  encodeJpeg,
  encodePng,
  header,
  jpegMarkerAt,
  jpegPortrait,
  pngPortrait,
} from '#test/images/avatars.ts';
import { deflate, encodeChunks, encodeHeader, joinBytes, pngChunk } from '#test/images/png.ts';
import { createTestApp, testEnv } from '#test/test-app.ts';
import { MAX_AVATAR_SIDE, readAvatar } from './avatar-file.ts';
import { createXAvatars, AVATAR_MAX_BYTES, AVATAR_TIMEOUT_MS } from './x-avatars.ts';

const BASE = 'https://pictures.example/of';
const URL_OF_ADA = `${BASE}/ada_400x400.png`;
const avatars = createXAvatars({ baseUrl: BASE, timeoutMs: AVATAR_TIMEOUT_MS.onCard });
const SIGNATURE = pngPortrait.subarray(0, 8);

function respondWith(respond: () => Response | Promise<Response>) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => respond());
}

const sendRequest = async (respond: () => Response | Promise<Response>) => {
  respondWith(respond);
  return avatars.fetch(URL_OF_ADA);
};

it.each([
  ['PNG', 'image/png', pngPortrait],
  ['JPEG', 'image/jpeg', jpegPortrait],
])('an avatar is recognised as %s by its bytes and not by its headers', async (_name, type, bytes) => {
  const requested = respondWith(() => new Response(bytes, { headers: { 'Content-Type': 'text/html' } }));
  expect(await avatars.fetch(URL_OF_ADA)).toEqual({ type, bytes });
  expect(requested).toHaveBeenCalledExactlyOnceWith(
    URL_OF_ADA,
    expect.objectContaining({ redirect: 'manual' }),
  );
});

it.each([
  null,
  '',
  'ada.png',
  BASE,
  'https://pictures.example/else/ada.png',
  'https://pictures.example/office/ada.png',
  'https://pictures.example.evil.example/of/ada.png',
  'https://pictures.example@evil.example/of/ada.png',
  'http://pictures.example/of/ada.png',
  'https://evil.example/https://pictures.example/of/ada.png',
  `${BASE}/../admin`,
  `${BASE}/%2e%2e/admin`,
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
  'https://127.0.0.1/of/ada.png',
])('an avatar is never fetched from a URL outside X’s image folder: %j', async (url) => {
  const requested = respondWith(() => new Response(pngPortrait));
  expect(await avatars.fetch(url)).toBe('none');
  expect(requested).not.toHaveBeenCalled();
});

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>';
it.each(
  Object.entries<() => Response | Promise<Response>>({
    'status 404': () => new Response(pngPortrait, { status: 404 }),
    'an HTML page': () =>
      new Response('<!doctype html><h1>Hi</h1>', { headers: { 'Content-Type': 'image/png' } }),
    'an SVG that says it is a PNG': () => new Response(svg, { headers: { 'Content-Type': 'image/png' } }),
    'a GIF': () =>
      new Response(
        Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'), (character) =>
          character.charCodeAt(0),
        ),
      ),
    'half a PNG': () => new Response(pngPortrait.slice(0, pngPortrait.length / 2)),
    'half a JPEG': () => new Response(jpegPortrait.slice(0, jpegPortrait.length / 2)),
    'a redirect': () =>
      new Response(null, { status: 302, headers: { Location: 'https://evil.example/ada.png' } }),
  }),
)('fetching an avatar fails if X sends %s', async (_name, respond) => {
  expect(await sendRequest(respond)).toBe('failed');
});

it('an avatar of exactly the size limit is accepted', async () => {
  const paddedTo = (length: number) => {
    const padding = pngChunk('tEXt', new Uint8Array(length - pngPortrait.length - 12));
    const head = [SIGNATURE, header({ width: 64, height: 64 })];
    return joinBytes([...head, padding, pngPortrait.subarray(33)]);
  };
  expect(paddedTo(AVATAR_MAX_BYTES).length).toBe(AVATAR_MAX_BYTES);
  expect(await sendRequest(() => new Response(paddedTo(AVATAR_MAX_BYTES)))).toMatchObject({
    type: expect.any(String),
  });
  expect(await sendRequest(() => new Response(paddedTo(AVATAR_MAX_BYTES + 1)))).toBe('failed');
});

it('an avatar is fetched over HTTP from X’s host', async () => {
  const app = await createTestApp();
  const { id } = await createCaller(app, 'amara_calls');
  const [stored] = await query<{ url: string }>(
    'SELECT profile_image_url AS url FROM users WHERE id = ?',
    id,
  );
  const local = createXAvatars({
    baseUrl: testEnv.X_AVATARS_URL,
    timeoutMs: AVATAR_TIMEOUT_MS.alone,
  });
  expect(await local.fetch(stored?.url ?? null)).toMatchObject({ type: 'image/png' });
  expect(await local.fetch(`${testEnv.X_AVATARS_URL}/missing_400x400.png`)).toBe('failed');
});

const side = MAX_AVATAR_SIDE;
const sized = (width: number, height: number) =>
  joinBytes([SIGNATURE, header({ width, height }), pngPortrait.subarray(33)]);
const frameAt = jpegMarkerAt(0xc0);
const scanAt = jpegMarkerAt(0xda);
const frame = jpegPortrait.slice(
  frameAt,
  frameAt + 2 + new DataView(jpegPortrait.buffer).getUint16(frameAt + 2),
);
const scan = jpegPortrait.slice(scanAt, -2);
const decisionOn = (file: Uint8Array<ArrayBuffer>) => (readAvatar(file) === null ? 'refused' : 'accepted');

it.each([
  [side, side, 'accepted'],
  [side + 1, 1, 'refused'],
  [1, side + 1, 'refused'],
  [1_024, 1_024, 'refused'],
  [30_000, 30_000, 'refused'],
  [0, 64, 'refused'],
  [64, 0, 'refused'],
])('an avatar with %s×%s pixels in its header is %s', (width, height, decision) => {
  expect(decisionOn(sized(width, height))).toBe(decision);
  expect(decisionOn(encodeJpeg({ width, height }))).toBe(decision);
});

/** A PNG of 16×16 pixels. */
const encodeRows = async (
  rows: Uint8Array<ArrayBuffer>,
  format: { colour: number; depth?: number; interlace?: number },
) =>
  encodeChunks([
    ['IHDR', encodeHeader({ width: 16, height: 16, ...format })],
    ['IDAT', await deflate(rows)],
    ['IEND', new Uint8Array()],
  ]);

it.each([
  ['of the right length', 'accepted', 0],
  ['4 KiB too long', 'refused', 4_096],
  ['64 MiB too long', 'refused', 64 * 1024 * 1024],
])('an avatar of 16×16 pixels whose inflated data is %s is %s', async (_name, decision, more) => {
  const file = await encodeRows(new Uint8Array(16 * 65 + more), { colour: 6 });
  expect(file.length).toBeLessThan(AVATAR_MAX_BYTES);
  expect(decisionOn(file)).toBe(decision);
});

it.each([
  [6, 8, 0, 'accepted'],
  [6, 8, 1, 'accepted'],
  [2, 8, 0, 'accepted'],
  [0, 8, 0, 'accepted'],
  [6, 16, 0, 'refused'],
  [0, 16, 0, 'refused'],
  [0, 1, 0, 'refused'],
] as const)(
  'a PNG avatar with colour type %i, bit depth %i and interlacing %i is %s',
  async (colour, depth, interlace, decision) => {
    const samples = [1, 0, 3, 1, 2, 0, 4][colour] ?? 0;
    // If interlaced, 16 rows become 2 + 2 + 2 + 4 + 4 + 8 + 8 rows, each with a filter byte.
    const length = 16 * Math.ceil((16 * samples * depth) / 8) + (interlace === 1 ? 30 : 16);
    const file = await encodeRows(new Uint8Array(length), { colour, depth, interlace });
    expect(decisionOn(file)).toBe(decision);
  },
);

it('readAvatar removes the metadata of a PNG, and any bytes after the end of the image', async () => {
  const texts = ['tEXt', 'zTXt', 'iTXt', 'iCCP', 'acTL', 'fcTL', 'fdAT', 'eXIf'].map((name) =>
    pngChunk(name, new Uint8Array(40)),
  );
  const plain = { width: 2, height: 2, colourAt: () => [1, 2, 3, 255] as const };
  expect(readAvatar(await encodePng({ ...plain, before: texts }))?.bytes).toEqual(await encodePng(plain));
  expect(readAvatar(joinBytes([pngPortrait, new Uint8Array(100)]))?.bytes).toEqual(pngPortrait);
  expect(readAvatar(joinBytes([jpegPortrait, new Uint8Array(100)]))?.bytes).toEqual(jpegPortrait);
});

it('an avatar is rejected unless it has exactly one header, before the image data', () => {
  const small = header({ width: 64, height: 64 });
  const large = header({ width: 30_000, height: 30_000 });
  const rest = pngPortrait.subarray(33);
  expect(readAvatar(joinBytes([SIGNATURE, small, rest]))).not.toBeNull();
  expect(readAvatar(joinBytes([SIGNATURE, small, large, rest]))).toBeNull();
  expect(readAvatar(joinBytes([SIGNATURE, pngChunk('tEXt', new Uint8Array(4)), small, rest]))).toBeNull();
  const jpegWith = (...parts: Uint8Array[]) =>
    readAvatar(joinBytes([jpegPortrait.subarray(0, scanAt), ...parts, Uint8Array.of(0xff, 0xd9)]));
  expect(jpegWith(scan)).not.toBeNull();
  expect(jpegWith(frame, scan)).toBeNull();
  expect(jpegWith(scan, frame, scan)).toBeNull();
  expect(jpegWith()).toBeNull();
});

it('a JPEG avatar with more than 32 scans is rejected', () => {
  const withScans = (count: number) =>
    joinBytes([
      jpegPortrait.subarray(0, scanAt),
      ...Array.from({ length: count }, () => scan),
      Uint8Array.of(0xff, 0xd9),
    ]);
  expect(readAvatar(withScans(32))).not.toBeNull();
  expect(readAvatar(withScans(33))).toBeNull();
});

it('a truncated avatar is rejected, and damaged bytes never make readAvatar throw', () => {
  for (const whole of [pngPortrait, jpegPortrait]) {
    for (let length = 0; length < whole.length; length += 1) {
      expect(readAvatar(whole.slice(0, length))).toBeNull();
    }
    for (let at = 0; at < whole.length; at += 1) {
      expect(() => readAvatar(whole.map((byte, index) => (index === at ? byte ^ 0xff : byte)))).not.toThrow();
    }
  }
});
