import { beforeEach, expect, it } from 'vitest';
import {
  TOKEN_SEARCH_LIMIT,
  TOKEN_SEARCH_MAX_LENGTH,
  TOKEN_SEARCH_RESULTS,
} from '#schema/constants/prices.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { FoundToken } from '#schema/contracts/prices.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { breakSource, breakSources, requestsTo } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { BONK, WIF, JUP } = MINTS;
const FAKE_WIF = `StandinFakeWif${'X'.repeat(29)}`;
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

const sendRequest = (text: string, person = caller) =>
  person.get(`/api/tokens/search?${new URLSearchParams({ q: text })}`);
const search = (text: string, person?: Person) => readResponse<FoundToken[]>(sendRequest(text, person));
it('the token search finds a token by its symbol, name or mint', async () => {
  for (const text of ['jup', 'JUPITER', JUP]) {
    const [found] = await search(text);
    expect(found).toEqual({
      mint: JUP,
      symbol: 'JUP',
      name: 'Jupiter',
      logoURI: expect.stringMatching(/^\/api\/images\/tokens\//) as string,
      liquidityUsd: 12_600_000,
      marketCapUsd: expect.any(Number) as number,
      isVerified: true,
      lookAlike: null,
    });
  }
});

it('the token search lists look-alikes last and names the token they look like', async () => {
  const found = await search('bonk');
  expect(found.map(({ mint, lookAlike }) => [mint, lookAlike?.mint ?? null])).toEqual([
    [BONK, null],
    [MINTS.FAKE_BONK, BONK],
  ]);
  expect(found[1]?.lookAlike).toMatchObject({ symbol: 'BONK', isVerified: true });
});

it('the token search finds a known token by a text that looks like its symbol', async () => {
  for (const text of ['w1f', 'W1F', 'WІF']) {
    const found = await search(text);
    expect(found.map(({ mint }) => mint)).toContain(WIF);
    expect(found.find(({ mint }) => mint === FAKE_WIF)?.lookAlike?.mint).toBe(WIF);
  }
});

it(`the token search returns at most ${TOKEN_SEARCH_RESULTS} tokens, and none for an unknown name`, async () => {
  expect((await search('er')).length).toBeLessThanOrEqual(TOKEN_SEARCH_RESULTS);
  expect(await search('nobody knows this')).toEqual([]);
});

it('the token search requires a signed-in caller', async () => {
  await expectRefusal(app.request('/api/tokens/search?q=bonk'), 'auth.required');
  await expectRefusal(sendRequest('bonk', await app.signIn('reader')), 'users.not_a_caller');
  expect(await requestsTo('jupiter')).toEqual([]);
});

it('the token search refuses an invalid query', async () => {
  for (const query of [
    '',
    '?q=',
    '?q=b',
    '?q=%E2%80%8B%E2%80%8B%E2%80%8B',
    '?q=%20%20%20',
    '?q=bonk&q=wif',
    '?q=bonk&limit=5',
    `?q=${'b'.repeat(TOKEN_SEARCH_MAX_LENGTH + 1)}`,
  ]) {
    await expectRefusal(caller.get(`/api/tokens/search${query}`), 'request.invalid');
  }
  expect(await requestsTo('jupiter')).toEqual([]);
});

it('the token search finds nothing for a list of mints, and accepts unusual texts', async () => {
  expect(await search(`${BONK},${WIF}`.slice(0, TOKEN_SEARCH_MAX_LENGTH))).toEqual([]);
  for (const text of ["'; DROP TABLE users", '%00', '100%', '../../price/v3?ids=x', '🐶🐶']) {
    expect(Array.isArray(await search(text))).toBe(true);
  }
});

it('the token search uses DexScreener, without verification, while Jupiter is down', async () => {
  await breakSource('jupiter');
  const found = await search('wif');
  expect(found.find(({ mint }) => mint === WIF)).toMatchObject({
    symbol: 'WIF',
    liquidityUsd: expect.any(Number) as number,
    marketCapUsd: expect.any(Number) as number,
    isVerified: null,
  });
  expect(found.every(({ mint }) => !mint.startsWith('0x'))).toBe(true);
  expect(await search('nobody knows this')).toEqual([]);
});

it('the token search is refused if no price source responds', async () => {
  await breakSources();
  const { message } = await expectRefusal(sendRequest('wif'), 'prices.unavailable');
  expect(message).toBe('Failed to lookup token');
});

it('a token search over the user’s limit is refused without a request to a price source', async () => {
  for (let index = 0; index < TOKEN_SEARCH_LIMIT.burst; index++) await search(`text ${index}`);
  const requested = await requestsTo('jupiter');
  const refused = await sendRequest('one more');
  expect(refused.headers.get('Retry-After')).toBe(String(TOKEN_SEARCH_LIMIT.everyMs / SECOND_MS));
  const { message } = await expectRefusal(refused, 'tokens.too_many_searches');
  expect(message).toContain('or paste the token’s address');
  expect(await requestsTo('jupiter')).toEqual(requested);
  await app.advance(TOKEN_SEARCH_LIMIT.everyMs);
  await search('one more');
});

it('token searches of many users leave enough of the rate limit for opening a call', async () => {
  await control('POST', '/jupiter/rate-limit', { limit: 24, windowMs: 60_000 });
  app = await createTestApp({ bindings: { JUPITER_REQUESTS_PER_SECOND: '0.4' } });
  caller = app.browser(caller);
  const people = await Promise.all(['a', 'b', 'c', 'd'].map((name) => createCaller(app, `seeker_${name}`)));
  for (let index = 0; index < 10; index++) {
    await Promise.all(
      people.map((person) => sendRequest(`text ${index}`, person).then((response) => response.text())),
    );
  }
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  expect(call.unrankedReason).toBeNull();
});
