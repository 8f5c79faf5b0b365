import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_SHOWN_PRICE_AGE_MS, MINUTE_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices, TokenLookup } from '#schema/contracts/prices.ts';
import { createDatabase } from '../../app/database.ts';
import { expectRefusal, readAnswer } from '../../test-support/answers.ts';
import { createCaller, makeCall, MINTS } from '../../test-support/callers.ts';
import type { PriceSource } from '../../ports/price-source.ts';
import { control, createTestApp, testEnv, type TestApp } from '../../test-support/test-app.ts';
import { createPriceShardsRepository } from './price-shards.repository.ts';
import { createPriceStore } from './price-store.ts';
import { createPricesService } from './prices.service.ts';

const { BONK, WIF, JUP, NO_PRICE } = MINTS;
const UNKNOWN = 'UnknownMintXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const shown = (...mints: string[]) => readAnswer<ShownPrices>(app.request(`/api/prices?mints=${mints.join(',')}`));
const windowStart = () => new Date(Math.floor(app.clock.now() / MAX_SHOWN_PRICE_AGE_MS) * MAX_SHOWN_PRICE_AGE_MS).toISOString();
const pin = (mint: string, price: number | string | null) => control('POST', '/prices', { mint, price });
const bothDown = async () => {
  await control('POST', '/faults', { service: 'jupiter', status: 503 });
  await control('POST', '/faults', { service: 'dexscreener', drop: true });
};

/** Different addresses that look like mints. */
const manyMints = (count: number) => Array.from({ length: count }, (_, index) => `Mint${[...String(index).padStart(4, '0')].map((digit) => 'ABCDEFGHJK'[Number(digit)]).join('')}${'X'.repeat(35)}`);

describe('prices', () => {
  it('come by mint with their time and source; unpriced and unknown mints are left out', async () => {
    await pin(WIF, 2);
    await pin(BONK, 0.00000001);
    expect(await shown(WIF, BONK, NO_PRICE, UNKNOWN)).toEqual({
      [WIF]: { price: '2', at: windowStart(), source: 'jupiter' },
      [BONK]: { price: '0.00000001', at: windowStart(), source: 'jupiter' },
    });
  });

  it.each([0, -1, 'abc', null])('that are %j are left out', async (price) => {
    await pin(WIF, price);
    await pin(JUP, 1);
    expect(Object.keys(await shown(WIF, JUP))).toEqual([JUP]);
  });

  it('of a hundred mints are answered, of a hundred and one refused', async () => {
    expect(await shown(...manyMints(98), WIF, JUP)).toMatchObject({ [WIF]: { source: 'jupiter' }, [JUP]: { source: 'jupiter' } });
    await expectRefusal(app.request(`/api/prices?mints=${manyMints(101).join(',')}`), 'request.invalid');
    await shown(...manyMints(50), ...manyMints(100));
  });

  it('are at most ten seconds old while a source answers', async () => {
    await pin(WIF, 2);
    await shown(WIF);
    await pin(WIF, 3);
    await app.advance(MAX_SHOWN_PRICE_AGE_MS - (app.clock.now() % MAX_SHOWN_PRICE_AGE_MS) - 1);
    expect((await shown(WIF))[WIF]?.price).toBe('2');
    await app.advance(1);
    expect((await shown(WIF))[WIF]?.price).toBe('3');
  });

  it('come from the second source while the first is down', async () => {
    await pin(WIF, 2);
    await control('POST', '/faults', { service: 'jupiter', status: 429 });
    expect((await shown(WIF))[WIF]).toMatchObject({ price: '2', source: 'dexscreener' });
  });

  it('of one moment have one age, whichever of them somebody watches', async () => {
    await shown(WIF);
    await app.advance(1_000 - (app.clock.now() % 1_000));
    const both = await shown(WIF, JUP);
    expect(both[WIF]?.at).toBe(both[JUP]?.at);
  });

  it('with both sources down are kept from everybody but those who may see the call', async () => {
    const caller = await createCaller(app, 'caller');
    await makeCall({ caller, mint: WIF, price: 2 });
    await app.runCron();
    const at = new Date(app.clock.now()).toISOString();
    await app.advance(5 * MINUTE_MS);
    await bothDown();
    expect(await shown(WIF, JUP)).toEqual({});
    const [active] = await readAnswer<TokenCall[]>(caller.get(`/api/token-calls/caller/${caller.id}/active`));
    expect(active?.lastPrice).toEqual({ price: '2', at, source: 'jupiter' });
  });

  it('all come, however full this isolate’s memory is', async () => {
    const remembered = manyMints(1_999);
    const asked = [...remembered.slice(0, 10), ...manyMints(2_009).slice(1_999)];
    const source: PriceSource = {
      name: 'fake',
      quote: () => Promise.reject(new Error('not asked')),
      prices: (mints) => Promise.resolve(new Map(mints.map((mint) => [mint, '2']))),
      tokens: () => Promise.reject(new Error('not asked')),
    };
    const prices = createPricesService({
      sources: [source],
      store: createPriceStore({ kv: testEnv.PRICES, shards: createPriceShardsRepository(createDatabase(testEnv.DB)) }),
      clock: app.clock,
      recent: new Map(remembered.map((mint) => [mint, { price: '1', at: Date.parse(windowStart()), source: 'fake' }])),
    });
    const shownPrices = await prices.shownPrices(asked);
    expect(asked.map((mint) => shownPrices[mint]?.price)).toEqual([...Array.from({ length: 10 }, () => '1'), ...Array.from({ length: 10 }, () => '2')]);
  });
});

describe('a token', () => {
  const lookup = (mint: string) => app.request(`/api/tokens/${mint}`);

  it('is looked up by its mint', async () => {
    await pin(WIF, 2);
    expect(await readAnswer<TokenLookup>(lookup(WIF))).toMatchObject({ mint: WIF, symbol: 'WIF', name: 'dogwifhat', price: '2' });
  });

  it('that nobody prices has a null price', async () => {
    expect(await readAnswer<TokenLookup>(lookup(NO_PRICE))).toMatchObject({ symbol: 'NOPRICE', price: null });
  });

  it('that nobody knows is not found', async () => {
    const { message } = await expectRefusal(lookup(UNKNOWN), 'tokens.not_found');
    expect(message).toBe('Token not found');
  });

  it('is found while one source is down, and not while both are', async () => {
    await control('POST', '/faults', { service: 'jupiter', status: 500 });
    expect(await readAnswer<TokenLookup>(lookup(WIF))).toMatchObject({ symbol: 'WIF' });
    await control('POST', '/faults', { service: 'dexscreener', status: 500 });
    const { message } = await expectRefusal(lookup(WIF), 'prices.unavailable');
    expect(message).toBe('Failed to lookup token');
  });
});
