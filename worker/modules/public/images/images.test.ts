import { beforeEach, expect, it, vi } from 'vitest';
import { IMAGE_FAILURE_KEPT_MS, IMAGE_KEPT_MS } from '#worker/adapters/image-cache.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { FoundToken, TokenLookup } from '#schema/contracts/prices.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { pay } from '#test/payments/payments.ts';
import { pngPortrait } from '#test/images/avatars.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const ICON = 'https://icons.solana.com/wif.png';
const AVATAR = 'public, max-age=86400, s-maxage=3000, stale-while-revalidate=600';
const TOKEN_ICON = 'public, max-age=86400, stale-while-revalidate=604800';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app));
});

/**
 * Mocks requests for images on other sites, and returns the list of these requests. All other requests reach
 * the local environment.
 */
function watchImages(respond: () => Response = () => new Response(pngPortrait)): string[] {
  const requested: string[] = [];
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(testEnv.X_AVATARS_URL) && !url.endsWith('.png')) return fetch(input, init);
    requested.push(url);
    return respond();
  });
  return requested;
}

const read = (path: string | null | undefined, cookie?: string) =>
  app.request(path ?? '/api/images/none', { cookie });

async function expectImage(pending: Promise<Response>, cacheControl: string): Promise<void> {
  const { status, headers, ...response } = await pending.then(async (each) => ({
    status: each.status,
    headers: each.headers,
    bytes: new Uint8Array(await each.arrayBuffer()),
  }));
  expect({ status, ...response }).toEqual({ status: 200, bytes: pngPortrait });
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': expect.stringMatching(/^default-src 'none'/) as string,
  });
}

/**
 * Makes a call whose icon has this URL. A trigger refuses a later change of the icon, so the price source must
 * return this URL.
 */
async function makeCallWithIcon(url: string): Promise<TokenCall> {
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const pending = await fetch(input, init);
    const requested = input instanceof Request ? input.url : String(input);
    if (!requested.includes('/jupiter/tokens/')) return pending;
    return new Response((await pending.text()).replaceAll(/"icon":"[^"]*"/g, `"icon":"${url}"`), pending);
  });
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  spy.mockRestore();
  return call;
}

const avatarOf = async () =>
  (await readResponse<{ profileImageUrl: string | null }>(app.request(`/api/callers/${caller.id}`)))
    .profileImageUrl;

it('a caller’s image is served to everyone from our origin, and requested from X once', async () => {
  const path = await avatarOf();
  expect(path).toMatch(new RegExp(`^/api/images/callers/${caller.id}/[a-z\\d]+$`));
  const requested = watchImages();
  for (const cookie of [undefined, caller.cookie, undefined]) {
    await expectImage(read(path, cookie), AVATAR);
  }
  expect(requested).toHaveLength(1);
  expect(requested[0]).toContain(testEnv.X_AVATARS_URL);
  await app.advance(IMAGE_KEPT_MS);
  await expectImage(read(path), AVATAR);
  expect(requested).toHaveLength(2);
});

it('a caller’s image gets another path when it changes, and the old path returns 404', async () => {
  const before = await avatarOf();
  await query(
    'UPDATE users SET profile_image_url = ? WHERE id = ?',
    `${testEnv.X_AVATARS_URL}/1700000000000000001_400x400.png`,
    caller.id,
  );
  watchImages();
  await expectRefusal(read(before), 'images.not_found');
  const after = await avatarOf();
  expect(after).not.toBe(before);
  await expectImage(read(after), AVATAR);
});

it('after a caller has lost the image, its path is null and its old path returns 404', async () => {
  const before = await avatarOf();
  await query('UPDATE users SET profile_image_url = NULL WHERE id = ?', caller.id);
  expect(await avatarOf()).toBeNull();
  await expectRefusal(read(before), 'images.not_found');
});

it('a caller’s image that X doesn’t deliver is requested again only after a minute', async () => {
  const path = await avatarOf();
  const requested = watchImages(() => new Response('no', { status: 503 }));
  for (let time = 0; time < 3; time += 1) await expectRefusal(read(path), 'images.not_found');
  expect(requested).toHaveLength(1);
  await app.advance(IMAGE_FAILURE_KEPT_MS);
  vi.restoreAllMocks();
  watchImages();
  await expectImage(read(path), AVATAR);
});

it('the image of a user who isn’t a caller is shown only to that user', async () => {
  const reader = await app.signIn('reader');
  const { profileImageUrl: path } = await readResponse<CurrentUser>(reader.get('/api/auth/user'));
  expect(path).toMatch(/^\/api\/images\/me\/[a-z\d]+$/);
  watchImages();
  await expectImage(read(path, reader.cookie), 'private, no-store');
  await expectRefusal(read(path), 'auth.required');
  await expectRefusal(read(path, caller.cookie), 'images.not_found');
  const version = path?.split('/').at(-1);
  await expectRefusal(read(`/api/images/callers/${reader.id}/${version}`), 'images.not_found');
});

it('a user’s own image is public once the user is a caller', async () => {
  const { profileImageUrl: path } = await readResponse<CurrentUser>(caller.get('/api/auth/user'));
  expect(path).toContain(`/api/images/callers/${caller.id}/`);
});

it('a hidden call’s icon is served uncached to caller and subscribers, after one request to its host', async () => {
  const hidden = await makeCallWithIcon(ICON);
  expect(hidden.logoURI).toBe(`/api/images/active-calls/${hidden.id}`);
  const reader = await app.signIn('reader');
  await pay({ person: reader, callerId: caller.id });
  const requested = watchImages();
  for (const { cookie } of [caller, reader, caller, reader]) {
    await expectImage(read(hidden.logoURI, cookie), 'private, no-store');
  }
  expect(requested).toEqual([ICON]);
});

it('a hidden call’s icon is requested from its host again after the call has ended', async () => {
  const hidden = await makeCallWithIcon(ICON);
  const requested = watchImages();
  await expectImage(read(hidden.logoURI, caller.cookie), 'private, no-store');
  const ended = await endCall({ caller, call: hidden, price: 2 });
  expect(ended.logoURI).toBe(`/api/images/calls/${hidden.id}`);
  for (const cookie of [undefined, caller.cookie]) {
    await expectImage(read(ended.logoURI, cookie), TOKEN_ICON);
  }
  expect(requested).toEqual([ICON, ICON]);
});

it('the private path of a hidden call’s icon still works for its caller after the call has ended', async () => {
  const hidden = await makeCallWithIcon(ICON);
  await endCall({ caller, call: hidden, price: 2 });
  watchImages();
  await expectImage(read(hidden.logoURI, caller.cookie), 'private, no-store');
  await expectRefusal(read(hidden.logoURI), 'images.not_found');
});

const search = async (person: Person) =>
  (await readResponse<FoundToken[]>(person.get('/api/tokens/search?q=wif'))).find(
    ({ mint }) => mint === MINTS.WIF,
  )?.logoURI;

it('the icon of a looked-up token is served to signed-in people, with one request to its host per person', async () => {
  const path = await search(caller);
  const { logoURI } = await readResponse<TokenLookup>(caller.get(`/api/tokens/${MINTS.WIF}`));
  expect(logoURI).toBe(path);
  const reader = await app.signIn('reader');
  const requested = watchImages();
  for (const { cookie } of [caller, caller, reader, reader]) {
    await expectImage(read(path, cookie), 'private, no-store');
  }
  // A shared response would reveal which tokens others look up.
  expect(requested).toHaveLength(2);
  await expectRefusal(read(path), 'auth.required');
});

it('the icon of a looked-up token can’t be fetched from a URL that we didn’t sign', async () => {
  const [, , , , sealed = ''] = (await search(caller))?.split('/') ?? [];
  const [signature = '', url = ''] = sealed.split('.');
  const forged = btoa('https://evil.solana.com/evil.png').replaceAll('=', '');
  const requested = watchImages();
  for (const each of [
    `${signature}.${forged}`,
    `.${url}`,
    `${signature.slice(0, -2)}AA.${url}`,
    `${signature}.${url.slice(0, -4)}`,
    `${sealed}.AA`,
    encodeURIComponent('https://evil.solana.com/evil.png'),
    '%00.%00',
  ]) {
    await expectRefusal(read(`/api/images/tokens/${each}`, caller.cookie), 'images.not_found');
  }
  expect(requested).toEqual([]);
});
