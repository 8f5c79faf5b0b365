import { beforeEach, describe, expect, it } from 'vitest';
import { RATE_LIMITS } from '#schema/constants/app.ts';
import { PUBLIC_PRICE_KEPT_MS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import {
  callBody,
  createCaller,
  createPaidCaller,
  endCall,
  makeCall,
  MINTS,
  makeEndedCall,
} from '#test/people/callers.ts';
import { mintOf } from '#test/people/active-calls.ts';
import { query } from '#test/database/database.ts';
import { breakSource, breakSources, requestsTo, setPrice } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { BONK, WIF, JUP } = MINTS;
const HIDDEN = [BONK, WIF, JUP];
/** Distinct made-up mints that nobody has called. */
const CANDIDATES = Array.from(
  { length: 23 },
  (_, index) => `Candidate${'ABCDEFGHJKLMNPQRSTUVWXYZ'.charAt(index)}${'X'.repeat(33)}`,
);

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app));
});

const madeUpMints = (count: number) => Array.from({ length: count }, (_, index) => mintOf(index));

const requestsToSources = async () =>
  (await requestsTo('jupiter')).length + (await requestsTo('dexscreener')).length;
const countRequests = async (send: () => Promise<unknown>): Promise<number> => {
  const before = await requestsToSources();
  await send();
  return (await requestsToSources()) - before;
};
const startWindow = () => app.advance(SHOWN_PRICE_WINDOW_MS - (app.clock.now() % SHOWN_PRICE_WINDOW_MS));
const active = async (viewer: Person, callerId = caller.id) =>
  readResponse<TokenCall[]>(viewer.get(`/api/token-calls/caller/${callerId}/active`));

describe('with three hidden calls', () => {
  beforeEach(async () => {
    for (const mint of HIDDEN) await makeCall({ caller, mint, price: 2 });
    await startWindow();
  });

  it('the price of a hidden call follows the market within five seconds for viewers with access', async () => {
    expect((await active(caller)).map(({ lastPrice }) => lastPrice?.price)).toEqual(['2', '2', '2']);
    await setPrice(WIF, 3);
    expect(await countRequests(() => active(caller))).toBe(0);
    await app.advance(SHOWN_PRICE_WINDOW_MS);
    const call = (await active(caller)).find(({ tokenMint }) => tokenMint === WIF);
    expect(call?.lastPrice?.price).toBe('3');
    expect(await readResponse<TokenCall>(caller.get(`/api/token-calls/${call?.id}`))).toMatchObject({
      lastPrice: call?.lastPrice,
    });
  });

  it.each([
    ['prices', (mint: string) => `/api/prices?mints=${mint}`],
    ['lookups', (mint: string) => `/api/tokens/${mint}`],
  ])(
    'visitors’ requests for %s don’t reveal that the price of a hidden call was fetched',
    async (_name, pathOf) => {
      await control(
        'POST',
        '/prices',
        CANDIDATES.map((mint) => ({ mint, price: 2 })),
      );
      const measure = async () => {
        const costs: [mint: string, requests: number][] = [];
        for (const mint of [...CANDIDATES.slice(0, 6), ...HIDDEN]) {
          costs.push([mint, await countRequests(() => app.request(pathOf(mint)))]);
        }
        return costs;
      };
      const before = await measure();
      await app.advance(11 * MINUTE_MS);
      await startWindow();
      await active(caller);
      expect(await measure()).toEqual(before);
      expect(before.filter(([, requests]) => requests === 0)).toEqual([]);
    },
  );

  it('the price of a hidden call is fetched once for the call’s page, even if the page loads slowly', async () => {
    const [call] = await active(caller);
    const lookUps: number[] = [];
    for (const path of [
      `/call/${call?.id}`,
      `/api/token-calls/${call?.id}`,
      `/api/token-calls/${call?.id}/chart`,
    ]) {
      await app.advance(SHOWN_PRICE_WINDOW_MS);
      lookUps.push(await countRequests(async () => expect((await caller.get(path)).status).toBe(200)));
    }
    expect(lookUps).toEqual([0, 1, 0]);
  });

  it('the price of a hidden call is fetched again after a visitor has requested the mint’s price', async () => {
    await app.request(`/api/prices?mints=${HIDDEN.join(',')}`);
    expect(await countRequests(() => active(caller))).toBeGreaterThan(0);
  });

  it('the price of a hidden call is not shared with viewers of another caller’s call of the same token', async () => {
    const other = await createCaller(app, 'other_caller');
    const { id } = await makeCall({ caller: other, mint: WIF, price: 2 });
    await startWindow();
    await active(caller);
    expect(await countRequests(() => other.get(`/api/token-calls/${id}`))).toBeGreaterThan(0);
  });

  it('the price of a hidden call is not shared with a user who wants to call the token', async () => {
    const other = await createCaller(app, 'other_caller');
    await active(caller);
    const attempt = callBody({ caller: other, mint: WIF, entryPrice: '100' });
    const cost = await countRequests(() =>
      expectRefusal(other.post('/api/token-calls', attempt), 'calls.price_moved'),
    );
    expect(cost).toBe(1);
  });

  it('the price of a hidden call is the stored one while the sources are down', async () => {
    await app.runJobs('prices');
    await app.advance(SHOWN_PRICE_WINDOW_MS);
    await breakSource('jupiter');
    await breakSource('dexscreener', { drop: true });
    expect((await active(caller)).map(({ lastPrice }) => lastPrice?.price)).toEqual(['2', '2', '2']);
  });
});

const show = (mints: readonly string[]) =>
  readResponse<ShownPrices>(app.request(`/api/prices?mints=${mints.join(',')}`));

it('a visitor who requested too many unknown mints gets prices only of mints with an ended call', async () => {
  await makeEndedCall({ caller, mint: WIF, from: 2, to: 3 });
  await makeCall({ caller, mint: BONK, price: 2 });
  await show(madeUpMints(RATE_LIMITS.costly));
  expect(Object.keys(await show([BONK, WIF, JUP]))).toEqual([WIF]);
  await expectRefusal(app.request(`/api/tokens/${BONK}`), 'tokens.too_many_lookups');
  expect((await app.request(`/api/tokens/${WIF}`)).status).toBe(200);
  expect((await caller.get(`/api/tokens/${BONK}`)).status).toBe(200);
  await app.advance(60_000);
  expect(Object.keys(await show([BONK]))).toEqual([BONK]);
});

describe('with a public mint and a low rate limit', () => {
  const ageOf = (price: ShownPrice | undefined) => price && app.clock.now() - Date.parse(price.at);
  const addPublicMints = (mints: readonly string[]) =>
    query(
      `INSERT INTO called_tokens (mint, symbol, name, call_id)
       SELECT value, 'F', 'F', call_id FROM called_tokens, json_each(?)`,
      JSON.stringify(mints),
    );
  const from = (visitor: number) => ({ headers: { 'CF-Connecting-IP': `203.0.113.${visitor}` } });
  const stored = () =>
    query(
      'SELECT mint, shown_price, asked_at, queue_rank FROM called_tokens WHERE asked_at > 0 OR queue_rank >= 0',
    );

  beforeEach(async () => {
    await makeEndedCall({ caller, mint: JUP });
    await makeCall({ caller, mint: WIF, price: 2 });
    app = await createTestApp({ bindings: { JUPITER_REQUESTS_PER_SECOND: '1' } });
    caller = app.browser(caller);
    await setPrice(JUP, 2);
    await startWindow();
  });

  it('public prices are fetched at the first request, and again at a request 30 seconds later', async () => {
    const first = await show([JUP]);
    expect(first).toEqual({
      [JUP]: { price: '2', at: new Date(app.clock.now()).toISOString(), source: 'jupiter' },
    });
    await setPrice(JUP, 3);
    await app.advance(PUBLIC_PRICE_KEPT_MS - 1);
    expect(await countRequests(async () => expect(await show([JUP])).toEqual(first))).toBe(0);
    await app.advance(1);
    expect((await show([JUP]))[JUP]?.price).toBe('3');
  });

  it('a new isolate shows the stored public prices without a request to a price source', async () => {
    const first = await show([JUP]);
    app = await createTestApp();
    expect(await countRequests(async () => expect(await show([JUP])).toEqual(first))).toBe(0);
  });

  it('public prices stay fresh while ten networks request as many other tokens as they can', async () => {
    const ages: (number | undefined)[] = [];
    for (let poll = 0; poll < 12; poll++) {
      for (let visitor = 0; visitor < 10; visitor++) {
        const wanted = CANDIDATES[(poll + visitor) % CANDIDATES.length];
        await (await app.request(`/api/prices?mints=${wanted}`, from(visitor))).body?.cancel();
      }
      ages.push(ageOf((await show([JUP]))[JUP]));
      await app.advance(POLL_MS.prices);
    }
    expect(Math.max(...ages.map((age) => age ?? Infinity))).toBeLessThan(PUBLIC_PRICE_KEPT_MS);
  });

  it('a public price is at most a minute old while ten networks request 5,000 other public mints', async () => {
    const flood = madeUpMints(5_000);
    await addPublicMints(flood);
    await control('DELETE', '/requests');
    const ages: (number | undefined)[] = [];
    for (let poll = 0; poll < 12; poll++) {
      for (let part = 0; part < 50; part++) {
        const mints = flood.slice(part * 100, (part + 1) * 100).join(',');
        await (await app.request(`/api/prices?mints=${mints}`, from(part % 10))).body?.cancel();
      }
      ages.push(ageOf((await show([JUP]))[JUP]));
      await app.advance(POLL_MS.prices);
    }
    expect(Math.max(...ages.slice(2).map((age) => age ?? Infinity))).toBeLessThanOrEqual(MINUTE_MS);
    expect((await requestsTo('jupiter')).length).toBeLessThanOrEqual(4 + 2 * 4);
  });

  it('outdated public prices of a small request are fetched before the rest of a large request', async () => {
    const [many, few] = [madeUpMints(100), madeUpMints(103).slice(100)];
    await addPublicMints([...many, ...few]);
    await app.request(`/api/prices?mints=${many.join(',')}`, from(1));
    expect(await query('SELECT 1 FROM called_tokens WHERE queue_rank IS NOT NULL')).toHaveLength(50);
    await app.request(`/api/prices?mints=${few.join(',')}`, from(2));
    const asked = await query<{ mint: string }>('SELECT mint FROM called_tokens WHERE asked_at > 0');
    expect(asked.map(({ mint }) => mint)).toEqual(expect.arrayContaining([...many.slice(0, 50), ...few]));
  });

  it('while no source responds, stored public prices are shown with their times', async () => {
    const { [JUP]: seen, [WIF]: hidden } = await show([JUP, WIF]);
    expect([seen?.price, hidden?.price]).toEqual(['2', '2']);
    await breakSources({ status: 500 });
    await app.advance(HOUR_MS);
    expect(await show([JUP, WIF, BONK])).toEqual({ [JUP]: seen });
  });

  it('public prices and their places in the queue are not changed by hidden calls', async () => {
    await show([JUP, WIF, BONK]);
    const before = await stored();
    expect(before).toMatchObject([{ mint: JUP }]);
    await app.advance(HOUR_MS);
    await makeCall({ caller, mint: JUP, price: 5 });
    await makeCall({ caller, mint: BONK, price: 5 });
    await app.runCron();
    await active(caller);
    await show([WIF, BONK]);
    expect(await stored()).toEqual(before);
  });
});

it('requests for random mints from many networks leave enough of the rate limit for other users', async () => {
  await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(60_000);
  await control('POST', '/jupiter/rate-limit', { limit: 60 });
  app = await createTestApp({ bindings: { JUPITER_REQUESTS_PER_SECOND: '1' } });
  caller = app.browser(caller);
  for (let visitor = 0; visitor < 100; visitor++) {
    const mint = CANDIDATES[visitor % CANDIDATES.length];
    await app.request(`/api/prices?mints=${mint}`, {
      headers: { 'CF-Connecting-IP': `203.0.113.${visitor}` },
    });
  }
  await app.advance(SHOWN_PRICE_WINDOW_MS);
  const [call] = await active(caller);
  expect(call?.lastPrice).toMatchObject({ price: '2', source: 'jupiter' });
  expect((await endCall({ caller, call: call as TokenCall, price: 3 })).endPrice).toBe('3');
});
