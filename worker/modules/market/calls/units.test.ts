import { beforeEach, expect, inject, it, vi } from 'vitest';
import { CALL_AUTO_END_MS, SECOND_SOURCE_WAIT_MS } from '#schema/constants/market.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { CallChart, CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { query } from '#test/database/database.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { interceptSolana } from '#test/payments/intercept-solana.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { checkRandomUnits } from '#test/people/random-units.ts';
import { issueScaledToken, setMultiplier, type TestToken } from '#test/people/tokens.ts';
import { breakSource, endFaults, setPrice, type SourceName } from '#test/price-sources.ts';
import { expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

// Prices are those of one unscaled token, whatever multiplier a source uses.

let app: TestApp;
let caller: Person;
let token: TestToken;
let mint: string;

beforeEach(async () => {
  vi.restoreAllMocks();
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  token = await issueScaledToken(await createFundedWallet());
  mint = token.mint.toBase58();
  await list({ isVerified: true });
  await app.advance(MINUTE_MS);
});

const list = (more: { readonly isVerified: boolean }) =>
  control('POST', '/tokens', [{ mint, symbol: 'STOCK', name: 'Stock', sentUrl: '', ...more }]);

interface Sent {
  readonly usedMultiplier?: number;
  readonly knowsScale?: boolean;
}

/** Sets the price of one unscaled token, and how the sources scale it. */
async function pin(price: number, sent: Partial<Record<SourceName, Sent>> = {}): Promise<void> {
  for (const source of ['jupiter', 'dexscreener'] as const) {
    await control('POST', '/prices', { mint, price, source, ...sent[source] });
  }
}
const open = (entryPrice = '1102') =>
  caller.post('/api/token-calls', callBody({ caller, mint, entryPrice, symbol: 'STOCK' }));
const end = (call: TokenCall) => caller.patch(`/api/token-calls/${call.id}/end`);
const detailOf = (call: TokenCall) => readResponse<CallDetail>(caller.get(`/api/token-calls/${call.id}`));

it.each([
  ['only Jupiter scales its price', 10, {}],
  ['both sources scale their prices', 10, { dexscreener: { usedMultiplier: 10 } }],
  ['Jupiter still uses the old multiplier', 10, { jupiter: { usedMultiplier: 1 } }],
  [
    'only DexScreener scales its price',
    10,
    { jupiter: { usedMultiplier: 1 }, dexscreener: { usedMultiplier: 10 } },
  ],
  ['both sources scale their prices after a merge', 0.1, { dexscreener: { usedMultiplier: 0.1 } }],
  ['Jupiter still uses the old multiplier after a merge', 0.1, { jupiter: { usedMultiplier: 1 } }],
])('a new multiplier of a token doesn’t change the result of a call if %s', async (_, multiplier, sent) => {
  await pin(1102);
  const call = await readResponse<TokenCall>(open(), 201);
  await app.advance(HOUR_MS);
  await setMultiplier(token, { multiplier });
  await app.advance(MINUTE_MS);
  await pin(1212.2, sent);
  const [active] = await readResponse<TokenCall[]>(caller.get(`/api/token-calls/caller/${caller.id}/active`));
  expect(Number(active?.lastPrice?.price)).toBeCloseTo(1212.2, 6);
  const ended = await readResponse<TokenCall>(end(call));
  expect(ended.changePercent).toBeCloseTo(10, 6);
  expect(ended).toMatchObject({ unrankedReason: null, uncountedGainReason: null });
  const { quotes } = await detailOf(call);
  expect(quotes.map(({ side, multiplier: recorded }) => [side, recorded])).toEqual([
    ['open', 1],
    ['open', 1],
    ['end', multiplier],
    ['end', multiplier],
  ]);
});

const inSeconds = (seconds: number) => Math.floor(app.clock.now() / SECOND_MS) + seconds;

it.each([
  ['immediately', 0],
  ['with an announcement', 10],
])(
  'after the issuer changes the multiplier %s, DexScreener can’t confirm a gain of an unverified token',
  async (_, after) => {
    await list({ isVerified: false });
    await pin(100);
    const call = await readResponse<TokenCall>(open('100'), 201);
    await app.advance(HOUR_MS);
    await setMultiplier(token, { multiplier: 10, from: after && inSeconds(after) });
    await app.advance(MINUTE_MS);
    await pin(1000, { dexscreener: { usedMultiplier: 10 } });
    expect(await readResponse<TokenCall>(end(call))).toMatchObject({
      changePercent: 900,
      uncountedGainReason: 'one_source',
    });
    const { quotes } = await detailOf(call);
    expect(quotes.filter(({ side }) => side === 'end')).toMatchObject([
      { source: 'dexscreener', price: '1000', failure: 'rescaled', sentPrice: '100', multiplier: 10 },
      { source: 'jupiter', price: '1000', failure: 'rescaled', sentPrice: null, multiplier: 10 },
    ]);
  },
);

it('the gain of an unverified token doesn’t count if DexScreener’s unit differs between entry and end', async () => {
  await list({ isVerified: false });
  await setMultiplier(token, { multiplier: 0.1 });
  await app.advance(MINUTE_MS);
  await pin(10, { dexscreener: { usedMultiplier: 0.1 } });
  const call = await readResponse<TokenCall>(open('10'), 201);
  await app.advance(HOUR_MS);
  await pin(100);
  expect(await readResponse<TokenCall>(end(call))).toMatchObject({ uncountedGainReason: 'one_source' });
});

it('the gain of an unverified scaled token counts if its multiplier hasn’t changed', async () => {
  await list({ isVerified: false });
  await setMultiplier(token, { multiplier: 0.1 });
  await app.advance(MINUTE_MS);
  const used = { dexscreener: { usedMultiplier: 0.1 } };
  await pin(1102, used);
  const call = await readResponse<TokenCall>(open(), 201);
  await app.advance(HOUR_MS);
  await pin(2204, used);
  expect(await readResponse<TokenCall>(end(call))).toMatchObject({
    changePercent: 100,
    uncountedGainReason: null,
  });
});

it('a multiplier announced for a later year can’t make DexScreener confirm a price', async () => {
  await pin(100);
  const call = await readResponse<TokenCall>(open('100'), 201);
  await app.advance(HOUR_MS);
  await setMultiplier(token, { multiplier: 10, from: Date.UTC(2100, 0, 1) / SECOND_MS });
  await app.advance(MINUTE_MS);
  await pin(1000, { dexscreener: { usedMultiplier: 10 } });
  await expectRefusalWithoutTrace(() => end(call), 'prices.disagree');
});

it('a scheduled multiplier applies from its effective time on, and doesn’t change the price', async () => {
  await setMultiplier(token, { multiplier: 10, from: inSeconds(3600) });
  await app.advance(MINUTE_MS);
  await pin(1102);
  const call = await readResponse<TokenCall>(open(), 201);
  const lookUp = () => readResponse<TokenLookup>(caller.get(`/api/tokens/${mint}`));
  expect(await lookUp()).toMatchObject({ multiplier: 1, price: '1102' });
  await app.advance(HOUR_MS);
  expect(await lookUp()).toMatchObject({ multiplier: 10, price: '1102' });
  expect(await readResponse<TokenCall>(end(call))).toMatchObject({ changePercent: 0, endPrice: '1102' });
});

it('marks, peaks and charts of a scaled token have the price of one unscaled token', async () => {
  await setPrice(WRAPPED_SOL_MINT, 150);
  await pin(1102);
  const call = await readResponse<TokenCall>(open(), 201);
  await setMultiplier(token, { multiplier: 10 });
  await app.advance(MINUTE_MS);
  await app.runJobs('prices');
  for (let minute = 0; minute < 10; minute++) {
    await app.advance(MINUTE_MS);
    await app.runJobs('prices');
  }
  expect(await query('SELECT side, price FROM price_marks')).toEqual([{ side: 'open', price: '1102' }]);
  const { points } = await readResponse<CallChart>(caller.get(`/api/token-calls/${call.id}/chart`));
  expect([...new Set(points.map(({ price }) => price))]).toEqual(['1102']);
  expect(points.length).toBeGreaterThan(1);
  expect((await detailOf(call)).peak?.price).toBe('1102');
});

it('no call ends, not even automatically, while the mint’s multiplier can’t be read', async () => {
  await pin(1102);
  const call = await readResponse<TokenCall>(open(), 201);
  await app.advance(HOUR_MS);
  await setMultiplier(token, { multiplier: 10 });
  await app.advance(MINUTE_MS);
  await control('POST', '/faults', { service: 'solana', status: 500 });
  const { message } = await expectRefusalWithoutTrace(() => end(call), 'prices.unit_unknown');
  expect(message).toBe(
    "Failed to end token call - we can't tell for which unit of this token the price is, because Solana or a price source " +
      "doesn't say. Try again in a minute.",
  );
  // Otherwise one token would stop the checks of all levels.
  const waiting = { quotes: [{}, {}], fresh: null, lowest: null };
  expect(await app.services.prices.backgroundQuote(mint)).toMatchObject(waiting);
  await app.advance(CALL_AUTO_END_MS);
  await app.runJobs('calls');
  const findEnd = () => query('SELECT change_percent AS change, automatic_end AS automatic FROM calls');
  expect(await findEnd()).toEqual([{ change: null, automatic: null }]);
  await endFaults();
  await app.advance(MINUTE_MS);
  await app.runJobs('calls');
  expect(await findEnd()).toEqual([{ change: 0, automatic: 'time_limit' }]);
});

it.each([
  ['a change to a multiplier that is too large for a price', [1.7e308]],
  ['several changes that Jupiter hasn’t noticed', [10, 20, 30]],
])('after %s, an overdue losing call still ends a day later', async (_, multipliers) => {
  await pin(1102);
  const call = await readResponse<TokenCall>(open(), 201);
  await app.advance(CALL_AUTO_END_MS);
  await pin(551, { jupiter: { usedMultiplier: 7 } });
  for (const multiplier of multipliers) {
    await setMultiplier(token, { multiplier });
    await app.advance(MINUTE_MS);
    await app.runJobs('calls');
  }
  // An account's deletion ends calls at this price without waiting.
  expect(await app.services.prices.backgroundQuote(mint)).toMatchObject({
    fresh: null,
    lowest: { price: '551' },
  });
  await app.advance(SECOND_SOURCE_WAIT_MS);
  await app.runJobs('calls');
  expect(await detailOf(call)).toMatchObject({ changePercent: -50, automaticEnd: 'time_limit' });
});

it('a mark has Jupiter’s unscaled price even if no multiplier on the chain gives that price', async () => {
  await setPrice(WRAPPED_SOL_MINT, 150);
  await pin(1102);
  const call = await readResponse<TokenCall>(open(), 201);
  await app.advance(HOUR_MS);
  await end(call);
  await setMultiplier(token, { multiplier: 10 });
  await pin(500, { jupiter: { usedMultiplier: 7 } });
  await app.advance(MINUTE_MS);
  await app.services.priceMarks.record();
  expect(await query("SELECT price FROM price_marks WHERE side = 'end'")).toEqual([{ price: '500' }]);
});

it('an outage of the chain costs only the marks of a scaled token whose unscaled price no source sends', async () => {
  await setPrice(WRAPPED_SOL_MINT, 150);
  await pin(1102);
  await readResponse<TokenCall>(open(), 201);
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await breakSource('jupiter');
  await control('POST', '/faults', { service: 'solana', status: 500 });
  await app.advance(MINUTE_MS);
  await expect(app.services.priceMarks.record()).rejects.toThrow('Some marks have no price');
  expect(await query('SELECT price, source FROM price_marks WHERE price IS NOT NULL')).toEqual([
    { price: '2', source: 'dexscreener' },
  ]);
});

it('a call of a scaled token can’t be ended while no source sends an unscaled price', async () => {
  await pin(1102);
  const call = await readResponse<TokenCall>(open(), 201);
  await setMultiplier(token, { multiplier: 10 });
  await app.advance(HOUR_MS);
  await breakSource('jupiter');
  await expectRefusalWithoutTrace(() => end(call), 'prices.unit_unknown');
  await endFaults();
  await pin(1102, { jupiter: { usedMultiplier: 10, knowsScale: false } });
  await expectRefusalWithoutTrace(() => end(call), 'prices.unit_unknown');
  await pin(1102);
  expect(await readResponse<TokenCall>(end(call))).toMatchObject({ changePercent: 0 });
});

it('a quote reads the mint’s account once, and a price refresh reads it only for DexScreener’s prices', async () => {
  const requests = interceptSolana();
  const reads = () => requests.splice(0).filter(({ method }) => method === 'getMultipleAccounts').length;
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  expect(reads()).toBe(1);
  await app.services.priceRefresh.refresh();
  expect(reads()).toBe(0);
  await app.advance(MINUTE_MS);
  await breakSource('jupiter');
  await app.services.priceRefresh.refresh();
  expect(reads()).toBe(1);
});

it('charts get no prices of a scaled token while Jupiter is down', async () => {
  await pin(1102);
  await readResponse<TokenCall>(open(), 201);
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await setMultiplier(token, { multiplier: 10 });
  await app.advance(MINUTE_MS);
  await pin(1102, { dexscreener: { usedMultiplier: 10 } });
  await breakSource('jupiter');
  await app.services.priceRefresh.refresh();
  const closes = await query<{ mint: string }>('SELECT mint FROM price_closes');
  expect(closes.map((each) => each.mint).toSorted()).toEqual([MINTS.WIF, WRAPPED_SOL_MINT]);
  expect(await readResponse<TokenLookup>(caller.get(`/api/tokens/${mint}`))).toMatchObject({ price: null });
});

it('calls of random scaled tokens have the results of calls of unscaled tokens', async () => {
  expect.hasAssertions();
  const play = inject('isDeep') ? { count: 100, seed: Date.now() } : { count: 10, seed: 7 };
  await checkRandomUnits(app, play);
});
