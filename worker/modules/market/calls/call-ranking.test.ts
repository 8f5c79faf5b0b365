import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_QUOTE_AGE_MS, MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';
import { usableQuotes } from '#schema/rules/quotes.ts';
import { createDatabase } from '../../../shared/database.ts';
import type { TokenQuote } from '../../../ports/price-source.ts';
import { callBody, createCaller, MINTS } from '../../../test-support/callers.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '../../../test-support/test-app.ts';
import { createCallsRepository } from './calls.repository.ts';
import { createCallsService } from './calls.service.ts';

// Uses fake sources, because the local price sources always report the same liquidity.

let app: TestApp;
let caller: Person;
/** The liquidity at both sources in USD. Null if a source reports none. */
let liquidity: readonly [first: number | null, second: number | null];
/** The age of the second source's price in ms. */
let ageMs: number;

beforeEach(async () => {
  app = await createTestApp();
  ageMs = 0;
  caller = await createCaller(app, 'caller');
});

const quoteOf = (source: string, liquidityUsd: number | null, age = 0): TokenQuote => ({
  source,
  price: '2',
  failure: null,
  quotedAt: app.clock.now() - age,
  blockId: null,
  liquidityUsd,
  marketCapUsd: null,
  token: { symbol: 'WIF', name: 'dogwifhat', logoURI: null },
});
const freshQuote = () => {
  const quotes = [quoteOf('first', liquidity[0]), quoteOf('second', liquidity[1], ageMs)];
  return Promise.resolve({
    price: '2',
    quotes,
    usableQuotes: usableQuotes({ quotes, now: app.clock.now(), isSlotKnown: true }),
    recordedSource: 'first',
    token: { symbol: 'WIF', name: 'dogwifhat', logoURI: null },
  });
};
const serviceOf = () =>
  createCallsService({
    repository: createCallsRepository(createDatabase(testEnv.DB)),
    quotes: {
      livePrices: () => Promise.resolve([]),
      shownVersion: () => 0,
      recentPrice: () => Promise.resolve(null),
      freshQuote,
    },
    attempts: { take: () => Promise.resolve(0) },
    entitlement: {
      canSeeActiveCalls: () => Promise.resolve(true),
      viewCalls: () => Promise.resolve({ canSeeActiveCalls: true, activeCalls: 0, version: '' }),
      assertMayOpenCalls: () => Promise.resolve(),
    },
    events: { notifySoon: () => Promise.resolve() },
    signReceipt: () => '',
    clock: app.clock,
  });

describe('the ranking of a call', () => {
  it.each([
    [null, null, 'unknown_liquidity'],
    [MIN_RANKED_LIQUIDITY_USD - 1, null, 'thin_liquidity'],
    [null, 310, 'thin_liquidity'],
    [310, MIN_RANKED_LIQUIDITY_USD, 'thin_liquidity'],
    [MIN_RANKED_LIQUIDITY_USD, null, null],
  ] as const)(
    "depends on both sources' liquidity at the entry only: with %s and %s, the unranked reason is %s",
    async (first, second, unrankedReason) => {
      const calls = serviceOf();
      liquidity = [first, second];
      const call = await calls.create({
        userId: caller.id,
        body: callBody({ caller, mint: MINTS.WIF, entryPrice: '2' }),
      });
      expect(call.unrankedReason).toBe(unrankedReason);
      liquidity = unrankedReason === null ? [310, null] : [1e9, 1e9];
      expect(await calls.end({ id: call.id, userId: caller.id })).toMatchObject({
        isActive: false,
        unrankedReason,
      });
    },
  );

  it.each([
    [MAX_QUOTE_AGE_MS, null],
    [MAX_QUOTE_AGE_MS + 1, 'one_source'],
  ] as const)(
    'ignores sources whose price is too old: at an age of %s ms, the unranked reason is %s',
    async (age, unrankedReason) => {
      liquidity = [1e9, 1e9];
      ageMs = age;
      expect(
        await serviceOf().create({
          userId: caller.id,
          body: callBody({ caller, mint: MINTS.WIF, entryPrice: '2' }),
        }),
      ).toMatchObject({ unrankedReason });
    },
  );
});
