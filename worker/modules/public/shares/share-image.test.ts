import { beforeEach, expect, it, vi } from 'vitest';
import { SHARE_IMAGE } from '#schema/constants/public.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { expectRefusal } from '#test/responses.ts';
import { createCaller, endCall, makeCall, makeEndedCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { pngPortrait } from '#test/images/avatars.ts';
import { decodePng } from '#test/images/decode-png.ts';
import { readImage } from '#test/images/shares.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createId } from '#worker/shared/ids.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls');
});

const GAIN = [0x47, 0xd9, 0xbb];
const LOSS = [0xfa, 0x82, 0x5d];

const imageOf = (id: string) => app.request(`/api/token-calls/${id}/share.png`);
const cardOf = async (usernameOrId: string) => app.request(`/api/callers/${usernameOrId}/card.png`);
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const setAvatar = (url: string | null) =>
  query('UPDATE users SET profile_image_url = ? WHERE id = ?', url, caller.id);

/** Mocks the images' host. Returns the mock, which counts the requests. */
function respondWithAvatars(respond: () => Promise<Response>) {
  const requests = vi.fn(respond);
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    String(input).startsWith(testEnv.X_AVATARS_URL) ? requests() : fetch(input, init),
  );
  return requests;
}

function countOf(pixels: Uint8Array, [red, green, blue]: readonly number[]): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) count++;
  }
  return count;
}

// Specification 4.34, 9.14
it('the share image is an opaque PNG of 1200×675 pixels', async () => {
  const call = await makeEndedCall({ caller });
  const response = await imageOf(call.id);
  expect(response.headers.get('Content-Type')).toBe('image/png');
  const { width, height, pixels } = await decodePng(await bytesOf(response));
  expect({ width, height }).toEqual(SHARE_IMAGE);
  expect(pixels.filter((_, index) => index % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
});

it('the colour of a win and the colour of a loss cover similar areas of their share images', async () => {
  const won = await decodePng(await readImage(app, (await makeEndedCall({ caller, from: 2, to: 3 })).id));
  const lost = await decodePng(await readImage(app, (await makeEndedCall({ caller, from: 2, to: 1 })).id));
  const [wins, losses] = [countOf(won.pixels, GAIN), countOf(lost.pixels, LOSS)];
  expect([countOf(won.pixels, LOSS), countOf(lost.pixels, GAIN)]).toEqual([0, 0]);
  expect(wins).toBeGreaterThan(10_000);
  expect(losses / wins).toBeGreaterThan(0.8);
  expect(losses / wins).toBeLessThan(1.2);
});

it('the share image exists as soon as the call has ended', async () => {
  const call = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await expectRefusal(imageOf(call.id), 'calls.not_found');
  await app.advance(MINUTE_MS);
  await endCall({ caller, call, price: 1.1 });
  await readImage(app, call.id);
});

const LONG = 'public, max-age=3000, stale-while-revalidate=600';
const SHORT = 'public, max-age=300';

it('the share image has the caller’s avatar, and always the same bytes for the same call', async () => {
  const { id } = await makeEndedCall({ caller });
  const shown = await imageOf(id);
  expect(shown.headers.get('Cache-Control')).toBe(LONG);
  const withAvatar = await bytesOf(shown);
  expect(await bytesOf(await imageOf(id))).toEqual(withAvatar);
  const another = await createTestApp();
  expect(await readImage(another, id)).toEqual(withAvatar);
  await setAvatar(null);
  const withLetter = await imageOf(id);
  expect(withLetter.headers.get('Cache-Control')).toBe(LONG);
  expect(await bytesOf(withLetter)).not.toEqual(withAvatar);
});

it.each(
  Object.entries<() => Promise<Response>>({
    'is missing': async () => new Response('no', { status: 404 }),
    'is damaged': async () => new Response(pngPortrait.map((byte, at) => (at > 60 && at < 90 ? 0 : byte))),
  }),
)(
  'an avatar that %s is replaced by the name’s first letter on the share image, which is cached only briefly',
  async (_name, respond) => {
    const { id } = await makeEndedCall({ caller });
    const requests = respondWithAvatars(respond);
    const response = await imageOf(id);
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, SHORT]);
    const withLetter = await bytesOf(response);
    const card = await cardOf(caller.id);
    expect([card.status, card.headers.get('Cache-Control')]).toEqual([200, SHORT]);
    expect(requests).toHaveBeenCalledTimes(2);
    await setAvatar(null);
    expect(await readImage(app, id)).toEqual(withLetter);
    expect(await bytesOf(await cardOf(caller.id))).toEqual(await bytesOf(card));
  },
);

it('the share image never fetches an avatar from another host', async () => {
  const { id } = await makeEndedCall({ caller });
  await setAvatar('https://evil.example/ada.png');
  const requested = vi.spyOn(globalThis, 'fetch');
  const response = await imageOf(id);
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, LONG]);
  expect(requested).not.toHaveBeenCalled();
});

it('a caller’s card is the same PNG of 1200×675 pixels by id and by handle', async () => {
  const response = await cardOf(caller.id);
  expect(response.headers.get('Content-Type')).toBe('image/png');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=600, stale-while-revalidate=3000');
  const bytes = await bytesOf(response);
  const { width, height } = await decodePng(bytes);
  expect({ width, height }).toEqual(SHARE_IMAGE);
  expect(await bytesOf(await cardOf(caller.handle))).toEqual(bytes);
});

it('ending a call changes the caller’s card, and opening a call does not', async () => {
  const before = await bytesOf(await cardOf(caller.id));
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  expect(await bytesOf(await cardOf(caller.id))).toEqual(before);
  await app.advance(MINUTE_MS);
  await endCall({ caller, call, price: 2 });
  expect(await bytesOf(await cardOf(caller.id))).not.toEqual(before);
});

it('a caller’s card returns 404 for a user who is not a caller', async () => {
  const reader = await app.signIn('reader');
  for (const id of ['nobody', reader.id, 'reader', createId()]) {
    const response = await cardOf(id);
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    await expectRefusal(Promise.resolve(response), 'callers.not_found');
  }
});
