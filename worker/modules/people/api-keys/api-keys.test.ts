import { beforeEach, expect, it } from 'vitest';
import { API_KEY_MS, FRESH_SIGN_IN_MS, MAX_API_KEYS } from '#schema/constants/people.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { CreatedApiKey } from '#schema/contracts/api-keys.ts';
import type { Way } from '#schema/contracts/ways.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { createApiKey, sentWith } from '#test/people/api-keys.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

const KEYS = '/api/user/api-keys';
const endKey = (id: string, person = caller) => person.delete(`/api/user/ways/${id}`);
const listKeys = async () =>
  (await readResponse<Way[]>(caller.get('/api/user/ways'))).filter(({ kind }) => kind === 'key');
const useKey = (key: string, path = '/api/callers') => app.request(path, { headers: sentWith(key) });
const callWith = (key: string) => {
  const body = callBody({ caller, mint: MINTS.WIF, entryPrice: '2' });
  return app.request('/api/token-calls', { method: 'POST', headers: sentWith(key), body });
};

it('an API key is shown once, and the database has only its hash', async () => {
  const body = { name: '  My   bot ', mayCall: false };
  const created = await readResponse<CreatedApiKey>(caller.post(KEYS, body), 201);
  expect(created.key).toMatch(/^sc_[\w-]{54}$/);
  const { id, key } = created;
  const listed = { id, name: 'My bot', mayCall: false, lastUsedAt: null };
  expect(await listKeys()).toEqual([expect.objectContaining(listed)]);
  expect(JSON.stringify(await readDatabase())).not.toContain(key);
  await expectRefusal(useKey(id), 'api_keys.invalid');
});

it('creating an API key needs a recent sign-in, and a user has at most twenty keys', async () => {
  for (let count = 0; count < MAX_API_KEYS; count += 1) await createApiKey(app, caller);
  const body = { name: 'One more', mayCall: true };
  await expectRefusal(caller.post(KEYS, body), 'api_keys.too_many');
  await app.advance(FRESH_SIGN_IN_MS);
  await expectRefusal(caller.post(KEYS, body), 'auth.fresh_sign_in_needed');
  expect(await listKeys()).toHaveLength(MAX_API_KEYS);
});

it('an API key with the right to call opens, updates and ends its owner’s calls', async () => {
  const { key } = await createApiKey(app, caller);
  await control('POST', '/prices', { mint: MINTS.WIF, price: 2 });
  const call = await readResponse<TokenCall>(callWith(key), 201);
  const send = (path: string, method: string, body?: unknown) =>
    app.request(path, { method, headers: sentWith(key), body });
  await readResponse(send('/api/telegram/send-update', 'POST', { callId: call.id, message: 'Half sold.' }));
  expect(await readResponse(send(`/api/token-calls/${call.id}/end`, 'PATCH'))).toMatchObject({ id: call.id });
});

it('a call can’t be opened with a read-only API key or with another caller’s key', async () => {
  const { key } = await createApiKey(app, caller, { mayCall: false });
  await expectRefusal(callWith(key), 'api_keys.read_only');
  const rival = await createCaller(app, 'rival');
  await expectRefusal(callWith((await createApiKey(app, rival)).key), 'calls.not_yours');
});

it('a revoked API key and the key of a deleted account are refused immediately', async () => {
  const [one, other] = [await createApiKey(app, caller), await createApiKey(app, caller)];
  await readResponse(endKey(one.id));
  await expectRefusal(endKey(one.id), 'ways.not_found');
  await expectRefusal(useKey(one.key), 'api_keys.invalid');
  await readResponse(useKey(other.key));
  await readResponse(caller.post('/api/user/deletion', { handle: caller.handle }));
  await expectRefusal(useKey(other.key), 'api_keys.invalid');
});

it('a user can’t revoke another user’s API key', async () => {
  const { id, key } = await createApiKey(app, caller);
  const rival = await app.signIn('rival');
  await expectRefusal(endKey(id, rival), 'ways.not_found');
  await readResponse(useKey(key));
});

it('an API key stays valid after its owner logs out, and is refused together with a session cookie', async () => {
  const { key } = await createApiKey(app, caller);
  const { cookie } = caller;
  await expectRefusal(
    app.request('/api/callers', { cookie, headers: sentWith(key) }),
    'api_keys.with_cookie',
  );
  await app.request('/api/logout', { cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } });
  await readResponse(useKey(key));
});

it('an invalid API key is refused on public routes, while unknown URLs and operators’ routes return 404 as always', async () => {
  for (const Authorization of ['Basic YTpi', 'Bearer', 'Bearer token', `Bearer sc_${'x'.repeat(54)}`]) {
    const send = (path: string) => app.request(path, { headers: { Authorization } });
    await expectRefusal(send('/api/callers'), 'api_keys.invalid');
    await expectRefusal(send('/api/operators/overview'), 'request.not_found');
    await expectRefusal(send('/api/unknown'), 'request.not_found');
  }
});

it.each(['/api/callers', '/api/docs', '/feeds/recent-calls.xml', '/log/key', '/'])(
  'a program gets %s with its API key, and shared caches may not store the response',
  async (path) => {
    const { key } = await createApiKey(app, caller);
    const { status, headers } = await useKey(key, path);
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
    await readResponse(endKey((await listKeys())[0]?.id ?? ''));
    await expectRefusal(useKey(key, path), 'api_keys.invalid');
  },
);

it('the last use of an API key is recorded at most once an hour', async () => {
  const { key } = await createApiKey(app, caller);
  const [first] = await listKeys();
  await app.advance(HOUR_MS - 1);
  await useKey(key);
  expect(await listKeys()).toEqual([first]);
  await app.advance(1);
  await useKey(key);
  expect(Date.parse((await listKeys())[0]?.lastUsedAt ?? '')).toBe(app.clock.now());
});

it('an API key ends after a year and is deleted then', async () => {
  const { key } = await createApiKey(app, caller);
  await app.advance(API_KEY_MS - 1);
  await readResponse(useKey(key));
  await app.advance(1);
  await expectRefusal(useKey(key), 'api_keys.invalid');
  await app.runJobs('sessions');
  expect(await query('SELECT * FROM api_keys')).toEqual([]);
});

it('a read-only API key loads the pictures that its own responses name', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const { key } = await createApiKey(app, caller, { mayCall: false });
  const read = (path: string) => app.request(path, { headers: sentWith(key) });
  const found = await readResponse<TokenLookup>(read(`/api/tokens/${MINTS.WIF}`));
  const { profileImageUrl } = await readResponse<CurrentUser>(caller.get('/api/auth/user'));
  const { logoURI } = await readResponse<CallDetail>(read(`/api/token-calls/${call.id}`));
  for (const path of [found.logoURI, profileImageUrl, logoURI]) {
    expect((await read(path ?? '/api/nothing')).status, String(path)).toBe(200);
  }
});
