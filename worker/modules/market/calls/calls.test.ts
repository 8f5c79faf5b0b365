import { beforeEach, describe, expect, it } from 'vitest';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import { expectRefusal, expectRefusalWithoutTrace, readPages, readResponse } from '#test/responses.ts';
import { callBody, createCaller, endCall, makeCall, MINTS, makeEndedCall } from '#test/people/callers.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { breakSource, setPrice } from '#test/price-sources.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { BONK, FAKE_BONK, WIF, JUP, NO_PRICE } = MINTS;
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

const create = (body: Partial<Parameters<typeof callBody>[0]> = {}) =>
  caller.post('/api/token-calls', callBody({ caller, mint: WIF, entryPrice: '2', ...body }));
const end = (id: string, person = caller) => person.patch(`/api/token-calls/${id}/end`);
const profileOf = (person: Person) => readResponse<CallerProfile>(app.request(`/api/callers/${person.id}`));
const quotesOf = (id: string) =>
  query(
    'SELECT side, source, price, failure, is_recorded FROM price_quotes WHERE call_id = ? ORDER BY side, source',
    id,
  );

// Specification 6.15
it('a new call has the server’s price and token name, and both quotes are stored', async () => {
  await setPrice(WIF, 2);
  const call = await readResponse<TokenCall>(create({ entryPrice: '2.05', symbol: 'FAKE' }), 201);
  expect(call).toMatchObject({
    callerId: caller.id,
    tokenMint: WIF,
    tokenSymbol: 'WIF',
    tokenName: 'dogwifhat',
    entryPrice: '2',
    isActive: true,
    caller: { twitterHandle: 'caller' },
  });
  expect(call).not.toHaveProperty('endPrice');
  expect(call).not.toHaveProperty('endTimestamp');
  expect(await quotesOf(call.id)).toEqual([
    { side: 'open', source: 'dexscreener', price: '2', failure: null, is_recorded: 0 },
    { side: 'open', source: 'jupiter', price: '2', failure: null, is_recorded: 1 },
  ]);
});

it('a call stores the safety data of its token at the time of the entry', async () => {
  await makeCall({ caller, mint: WIF, price: 2 });
  const [stored] = await query('SELECT entry_safety AS safety FROM calls');
  expect(JSON.parse(String(stored?.['safety']))).toMatchObject({ isMintAuthorityDisabled: true });
});

it('a call records the market cap at its entry, from the source of the entry price', async () => {
  // The local sources report a supply of 998.9 million.
  const first = await makeCall({ caller, mint: WIF, price: 2 });
  expect(first.entryMarketCapUsd).toBe(1_997_800_000);
  expect((await endCall({ caller, call: first, price: 3 })).entryMarketCapUsd).toBe(1_997_800_000);

  await setPrice(WIF, 2, 'jupiter');
  await setPrice(WIF, 2.04, 'dexscreener');
  const second = await readResponse<TokenCall>(create(), 201);
  expect(second).toMatchObject({ entryPrice: '2.04', entryMarketCapUsd: 2_037_756_000 });
});

// Specification 4.1-4.3, 6.16
it('ending a call at the server’s price updates the caller’s win rate and average return', async () => {
  const won = await makeCall({ caller, mint: WIF, price: 2 });
  const lost = await makeCall({ caller, mint: JUP, price: 1 });
  expect(await profileOf(caller)).toMatchObject({
    winRate: null,
    avgReturn: null,
    totalCalls: 2,
    endedCalls: 0,
    activeCallCount: 2,
    lastCallTimestamp: null,
  });
  await app.advance(MIN_COUNTED_HOLD_MS);
  const ended = await endCall({ caller, call: won, price: 3 });
  expect(ended).toMatchObject({
    id: won.id,
    entryPrice: '2',
    endPrice: '3',
    changePercent: 50,
    automaticEnd: null,
    isActive: false,
    endTimestamp: new Date(app.clock.now()).toISOString(),
  });
  expect(await profileOf(caller)).toMatchObject({
    winRate: 100,
    avgReturn: 50,
    totalCalls: 2,
    endedCalls: 1,
    activeCallCount: 1,
    lastCallTimestamp: ended.endTimestamp,
  });
  await endCall({ caller, call: lost, price: 0.7 });
  const { winRate: rate, avgReturn } = await profileOf(caller);
  expect(rate).toBe(50);
  expect(avgReturn).toBeCloseTo(10, 9);
});

const refused = (body: Parameters<typeof create>[0], code: ErrorCode) =>
  expectRefusalWithoutTrace(() => create(body), code);

// Specification 6.15
it('making a call is refused in the name of another caller, and for a user who is not a caller', async () => {
  const other = await createCaller(app, 'other');
  const reader = await app.signIn('reader');
  const body = callBody({ caller: reader, mint: WIF, entryPrice: '1' });
  await refused({ caller: other, entryPrice: '1' }, 'calls.not_yours');
  await expectRefusalWithoutTrace(() => reader.post('/api/token-calls', body), 'users.not_a_caller');
});

it('making a call is refused if the price moved by over 3%, and the error has the current price', async () => {
  await setPrice(WIF, 2);
  const { error } = await refused({ entryPrice: '2.07' }, 'calls.price_moved');
  expect(error['currentPrice']).toBe('2');
  await refused({ entryPrice: '1.93' }, 'calls.price_moved');
  await readResponse(create({ entryPrice: '2.06' }), 201);
});

it('making a call is refused for a token without a price, and for an unknown token', async () => {
  await refused({ mint: NO_PRICE, entryPrice: '1' }, 'prices.missing');
  await refused({ mint: 'UnknownMintXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX', entryPrice: '1' }, 'prices.missing');
});

it('making a call is refused with the specification’s message if both sources are down', async () => {
  await breakSource('jupiter');
  await breakSource('dexscreener', { drop: true });
  const { message } = await refused({ entryPrice: '1' }, 'prices.unavailable');
  expect(message).toBe('Failed to create token call - could not fetch current price');
});

// Specification 5.25
it('making a call is refused for a mint that has an active call', async () => {
  await makeCall({ caller, mint: WIF, price: 2 });
  const { message, error } = await refused({}, 'calls.already_called');
  expect(message).toContain('Already Called');
  expect(error['activeMint']).toBe(WIF);
});

// Specification 5.26
it('making a call is refused if an active call of another mint has the same symbol', async () => {
  await makeCall({ caller, mint: BONK, price: 2 });
  await setPrice(FAKE_BONK, 2);
  for (const symbol of ['BONK', 'bonk', 'INNOCENT']) {
    const { error } = await refused({ mint: FAKE_BONK, entryPrice: '2', symbol }, 'calls.already_called');
    expect(error['activeMint']).toBe(BONK);
  }
});

it('seven of eight simultaneous calls of a token are refused', async () => {
  await setPrice(WIF, 2);
  const responses = await Promise.all(Array.from({ length: 8 }, () => create()));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([
    201,
    ...Array.from({ length: 7 }, () => 409),
  ]);
  expect(await profileOf(caller)).toMatchObject({ totalCalls: 1 });
});

describe('with an active call', () => {
  let call: TokenCall;
  beforeEach(async () => {
    call = await makeCall({ caller, mint: WIF, price: 2 });
  });

  // Specification 4.1, 6.16
  it('ending a call is refused for another caller, and for a user who is not a caller', async () => {
    for (const person of [await createCaller(app, 'other'), await app.signIn('reader')]) {
      await expectRefusalWithoutTrace(() => end(call.id, person), 'calls.not_yours');
    }
  });

  // Specification 4.1
  it('ending a call is refused if the call does not exist or has already ended', async () => {
    await expectRefusalWithoutTrace(() => end('nothing'), 'calls.not_found');
    await endCall({ caller, call, price: 3 });
    await setPrice(WIF, 9);
    await expectRefusalWithoutTrace(() => end(call.id), 'calls.already_ended');
  });

  // Specification 4.2
  it('ending a call uses the current price instead of a cached or stored price', async () => {
    await app.request(`/api/prices?mints=${WIF}`);
    await app.runJobs('prices');
    await setPrice(WIF, 4);
    expect(await readResponse<TokenCall>(end(call.id))).toMatchObject({ endPrice: '4' });
  });
});

// Specification 6.2
it('the pages of ended calls list every call once, newest first, even with equal end times', async () => {
  const other = await createCaller(app, 'other');
  const ids: string[] = [];
  for (const person of [caller, other]) {
    for (const mint of [WIF, JUP, BONK]) {
      ids.push((await makeEndedCall({ caller: person, mint })).id);
    }
    await app.advance(MINUTE_MS);
  }
  await makeCall({ caller, mint: WIF, price: 1 });
  const pages = await readPages<TokenCall>((path) => app.request(path), '/api/token-calls/ended?limit=2');
  const listed = pages.flat();
  expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const times = listed.map(({ endTimestamp }) => endTimestamp ?? '');
  expect(times).toEqual(times.toSorted().toReversed());
  expect(listed.every(({ isActive, endPrice }) => !isActive && endPrice === '2')).toBe(true);
});

it('the list of ended calls can have one filter, each with every matching call, newest first', async () => {
  const { app, operator } = await createOperatedApp();
  const [known, other] = [await createCaller(app, 'known'), await createCaller(app, 'other')];
  const now = app.clock.now();
  const micro = {
    id: 'micro',
    caller_id: known.id,
    unranked_reason: 'micro_cap',
    called_at: now,
    ended_at: now,
  };
  await insertRows('calls', [{ ...micro, end_price: '1', change_percent: 0 }]);
  await act(operator, { action: 'verify', subjectId: known.id });
  const won = await makeEndedCall({ caller: known, mint: WIF });
  await app.advance(MINUTE_MS);
  const lost = await makeEndedCall({ caller: other, mint: JUP, to: 0.5 });
  const list = async (filter: string) =>
    (await readResponse<TokenCall[]>(app.request(`/api/token-calls/ended?${filter}`))).map(({ id }) => id);
  expect(await list('only=won')).toEqual([won.id]);
  expect(await list('only=lost')).toEqual([lost.id, 'micro']);
  expect(await list('only=microCaps')).toEqual(['micro']);
  expect(await list('only=verified')).toEqual([won.id]);
  expect(await list('symbol=wif')).toEqual([won.id]);
  expect(await list('symbol=NONE')).toEqual([]);
  await act(operator, { action: 'unverify', subjectId: known.id });
  expect(await list('only=verified')).toEqual([]);
  await expectRefusal(app.request('/api/token-calls/ended?only=won&symbol=WIF'), 'request.invalid');
});

it('a caller’s calls have the same pages by handle and by id, with visible active calls on the first page', async () => {
  const ended: string[] = [];
  for (const mint of [WIF, JUP, BONK]) {
    ended.unshift((await makeEndedCall({ caller, mint })).id);
    await app.advance(MINUTE_MS);
  }
  const { id: active } = await makeCall({ caller, mint: WIF, price: 1 });
  for (const name of [caller.id, caller.handle, caller.handle.toUpperCase()]) {
    const path = `/api/token-calls/caller/${name}?limit=2`;
    const [first = [], second = [], ...others] = await readPages<TokenCall>((each) => caller.get(each), path);
    expect(first.map(({ id }) => id)).toEqual([active, ...ended.slice(0, 2)]);
    expect([second.map(({ id }) => id), others]).toEqual([ended.slice(2), []]);
    const anonymous = await readPages<TokenCall>((each) => app.request(each), path);
    expect(anonymous.flat().map(({ id }) => id)).toEqual(ended);
  }
});

it('the lists of a caller’s calls return 404 for an unknown id and for a user who is not a caller', async () => {
  const reader = await app.signIn('reader');
  for (const id of ['nobody', reader.id]) {
    for (const path of ['', '/active', '/history']) {
      await expectRefusal(reader.get(`/api/token-calls/caller/${id}${path}`), 'callers.not_found');
    }
  }
});
