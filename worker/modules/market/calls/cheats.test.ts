import { beforeEach, describe, expect, inject, it } from 'vitest';
import {
  DAY_MS,
  HOUR_MS,
  MAX_CALLS_PER_HOUR,
  CALL_AUTO_END_MS,
  MICRO_CAP_USD,
  MIN_COUNTED_HOLD_MS,
  MINUTE_MS,
  REPEATED_MINT_MS,
  SECOND_SOURCE_WAIT_MS,
  STABLE_COIN_MINTS,
  UNPRICED_END_MS,
} from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expectRefusal, readResponse } from '../../../test-support/responses.ts';
import { callBody, createCaller, MINTS } from '../../../test-support/people/callers.ts';
import {
  createCheatEnvironment,
  ORDERS,
  TOKENS,
  type CheatEnvironment,
  type Order,
} from '../../../test-support/people/cheat-environment.ts';
import { control } from '../../../test-support/test-app.ts';

/** Each cheat is played through the HTTP API. docs/decisions/033-cheats.md describes the table. */

interface Cheat {
  /** Completes the sentence "a caller gains no place by ...". */
  readonly name: string;
  /** The caller who plays it: `cheat` has a short record, `fresh` has none. */
  readonly by: 'cheat' | 'fresh';
  readonly play: (environment: CheatEnvironment, cheat: CheatEnvironment['cheat']) => Promise<unknown>;
  /** The sort orders in which the cheat still gains places. 033-cheats.md gives the reasons. */
  readonly climbs?: readonly Order[];
}

const [BONK, WIF] = TOKENS;
const SHORT_CALLS = inject('isDeep') ? 60 : 10;
const LONG_ENOUGH = MIN_COUNTED_HOLD_MS + MINUTE_MS;
const breakSource = (service: 'jupiter' | 'dexscreener') =>
  control('POST', '/faults', { service, status: 503 });

const cheats: readonly Cheat[] = [
  {
    name: 'a token with 300 USD of liquidity at 100,000 times its entry',
    by: 'cheat',
    async play({ app, pin, requestOpen, requestEnd }, cheat) {
      await pin({ mint: MINTS.THIN, price: 0.0001, liquidityUsd: 310 });
      const call = await readResponse<TokenCall>(requestOpen(cheat, MINTS.THIN, 0.0001), 201);
      expect(call.unrankedReason).toBe('micro_cap');
      await app.advance(HOUR_MS);
      await pin({ mint: MINTS.THIN, price: 10, liquidityUsd: 310 });
      await readResponse(requestEnd(cheat, call));
    },
  },
  {
    name: 'one lucky call while a source is down',
    by: 'cheat',
    async play({ app, open, end }, cheat) {
      await breakSource('dexscreener');
      const call = await open(cheat, BONK, 1);
      expect(call.unrankedReason).toBe('one_source');
      await control('DELETE', '/faults');
      await app.advance(HOUR_MS);
      await end(cheat, call, 100);
    },
  },
  {
    name: `${SHORT_CALLS} gains of 1.01%, each held half a second`,
    by: 'cheat',
    async play(environment, cheat) {
      const changes = Array.from({ length: MAX_CALLS_PER_HOUR }, () => 1.01);
      for (let played = 0; played < SHORT_CALLS; played += changes.length) {
        const ended = await environment.play(cheat, changes, 500);
        for (const { uncountedGainReason } of ended) expect(uncountedGainReason).toBe('short_hold');
        await environment.wait(2 * DAY_MS);
      }
    },
  },
  {
    name: 'using up a source with rejected calls, then ending at the pumped price of the other one',
    by: 'cheat',
    async play({ app, open, requestOpen, requestEnd, pin }, cheat) {
      await control('POST', '/jupiter/rate-limit', { limit: 60 });
      const helper = await createCaller(app, 'helper');
      const call = await open(cheat, BONK, 1);
      await app.advance(HOUR_MS);
      for (let count = 0; count < 80; count++) expect((await requestOpen(helper, WIF, 5)).ok).toBe(false);
      await pin({ mint: BONK, price: 2, source: 'dexscreener' });
      await expectRefusal(requestEnd(cheat, call), 'prices.disagree');
    },
  },
  {
    name: 'four lucky calls',
    by: 'fresh',
    play: (environment, cheat) => environment.play(cheat, [900, 900, 900, 900]),
  },
  {
    name: 'calling a token again under another symbol',
    by: 'cheat',
    async play({ app, open, end, pin }, cheat) {
      await end(cheat, await open(cheat, BONK, 1), 1);
      await pin({ mint: BONK, price: 1 });
      const again = callBody({ caller: cheat, mint: BONK, entryPrice: '1', symbol: 'MOON' });
      const call = await readResponse<TokenCall>(cheat.post('/api/token-calls', again), 201);
      expect(call).toMatchObject({ tokenSymbol: 'BONK', unrankedReason: 'repeated_mint' });
      await app.advance(LONG_ENOUGH);
      await end(cheat, call, 10);
    },
  },
  {
    name: 'opening a token again after its loss',
    by: 'cheat',
    async play({ app, open, end }, cheat) {
      await end(cheat, await open(cheat, BONK, 1), 0.5);
      await app.advance(MINUTE_MS);
      const call = await open(cheat, BONK, 0.5);
      await app.advance(LONG_ENOUGH);
      await end(cheat, call, 5);
    },
  },
  {
    name: 'opening a token again a moment before a day has passed',
    by: 'cheat',
    async play({ app, open, end }, cheat) {
      await end(cheat, await open(cheat, BONK, 1), 0.9);
      await app.advance(REPEATED_MINT_MS - 1);
      const call = await open(cheat, BONK, 0.9);
      expect(call.unrankedReason).toBe('repeated_mint');
      await app.advance(LONG_ENOUGH);
      await end(cheat, call, 9);
    },
  },
  {
    name: 'ending while only the pumped source responds',
    by: 'cheat',
    async play({ app, open, end }, cheat) {
      const call = await open(cheat, BONK, 1);
      await app.advance(HOUR_MS);
      await breakSource('jupiter');
      expect(await end(cheat, call, 10)).toMatchObject({ uncountedGainReason: 'one_source' });
    },
  },
  {
    name: 'ending a pump within ten minutes',
    by: 'cheat',
    async play({ app, open, end }, cheat) {
      const call = await open(cheat, BONK, 1);
      await app.advance(MIN_COUNTED_HOLD_MS - 1);
      expect(await end(cheat, call, 10)).toMatchObject({ uncountedGainReason: 'short_hold' });
    },
  },
  {
    name: 'a thin pool behind the old quote of a deep one',
    by: 'cheat',
    async play({ app, pin, requestOpen, requestEnd }, cheat) {
      await pin(
        { mint: BONK, price: 1, source: 'jupiter', liquidityUsd: 1e9, ageMs: 61_000 },
        { mint: BONK, price: 1, source: 'dexscreener', liquidityUsd: 300 },
      );
      const call = await readResponse<TokenCall>(requestOpen(cheat, BONK, 1), 201);
      expect(call.unrankedReason).toBe('micro_cap');
      await app.advance(HOUR_MS);
      await pin({ mint: BONK, price: 100, liquidityUsd: 300 });
      await readResponse(requestEnd(cheat, call));
    },
  },
  {
    name: 'a made-up deep pool that only one source believes in',
    by: 'cheat',
    async play({ app, pin, requestOpen, requestEnd }, cheat) {
      await pin(
        { mint: BONK, price: 1, source: 'jupiter', liquidityUsd: 300 },
        { mint: BONK, price: 1, source: 'dexscreener', liquidityUsd: 1e9 },
      );
      const call = await readResponse<TokenCall>(requestOpen(cheat, BONK, 1), 201);
      expect(call.unrankedReason).toBe('micro_cap');
      await app.advance(HOUR_MS);
      await pin({ mint: BONK, price: 100 });
      await readResponse(requestEnd(cheat, call));
    },
  },
  {
    name: 'a token of their own, hours old, with exactly enough liquidity and traded with themselves',
    by: 'cheat',
    async play({ app, pin, requestOpen, requestEnd }, cheat) {
      const own = { mint: BONK, liquidityUsd: MICRO_CAP_USD, volume24hUsd: MICRO_CAP_USD };
      await pin({ ...own, price: 1, poolAgeMs: 5 * HOUR_MS });
      const call = await readResponse<TokenCall>(requestOpen(cheat, BONK, 1), 201);
      expect(call.unrankedReason).toBe('micro_cap');
      await app.advance(HOUR_MS);
      await pin({ ...own, price: 4, poolAgeMs: 6 * HOUR_MS });
      await readResponse(requestEnd(cheat, call));
    },
  },
  {
    name: 'a token with liquidity that nobody trades',
    by: 'cheat',
    async play({ app, pin, requestOpen, requestEnd }, cheat) {
      await pin({ mint: BONK, price: 1, volume24hUsd: MICRO_CAP_USD - 1 });
      const call = await readResponse<TokenCall>(requestOpen(cheat, BONK, 1), 201);
      expect(call.unrankedReason).toBe('micro_cap');
      await app.advance(HOUR_MS);
      await pin({ mint: BONK, price: 100 });
      await readResponse(requestEnd(cheat, call));
    },
  },
  {
    name: 'calls on stablecoins, ended at any rise',
    by: 'fresh',
    async play({ app, open, end }, cheat) {
      for (const [index, mint] of STABLE_COIN_MINTS.slice(0, 2).entries()) {
        const call = await open(cheat, mint, 1);
        expect(call.unrankedReason).toBe('stablecoin');
        await app.advance(DAY_MS * (index + 1));
        await end(cheat, call, 1.001);
      }
    },
  },
  {
    name: 'waiting for the moments when one source lags behind the other one',
    by: 'cheat',
    async play({ app, pin, requestOpen, requestEnd }, cheat) {
      const calls: TokenCall[] = [];
      for (const mint of TOKENS.slice(0, MAX_CALLS_PER_HOUR)) {
        await pin({ mint, price: 0.98, source: 'jupiter' }, { mint, price: 1, source: 'dexscreener' });
        calls.push(await readResponse<TokenCall>(requestOpen(cheat, mint, 0.98), 201));
      }
      await app.advance(LONG_ENOUGH);
      for (const call of calls) {
        const mint = call.tokenMint;
        await pin({ mint, price: 1.02, source: 'jupiter' }, { mint, price: 1, source: 'dexscreener' });
        await readResponse(requestEnd(cheat, call));
      }
    },
  },
  {
    name: 'never ending a loser whose token has no price any more',
    by: 'cheat',
    async play({ app, open, pin, wait }, cheat) {
      await open(cheat, BONK, 1);
      await pin({ mint: BONK, price: null });
      await app.advance(MINUTE_MS);
      await app.runCron();
      await wait(UNPRICED_END_MS);
      await app.runCron();
    },
  },
  {
    name: 'never ending a loser about whose price the sources disagree',
    by: 'cheat',
    async play({ app, open, pin, wait }, cheat) {
      const { id } = await open(cheat, BONK, 1);
      await pin(
        { mint: BONK, price: 0.1, source: 'jupiter' },
        { mint: BONK, price: 1, source: 'dexscreener' },
      );
      await wait(CALL_AUTO_END_MS + SECOND_SOURCE_WAIT_MS);
      await app.runCron();
      expect(await readResponse(app.request(`/api/token-calls/${id}`))).toMatchObject({
        endPrice: '0.1',
        automaticEnd: 'time_limit',
      });
    },
  },
  {
    name: 'keeping losers open, once they are open for 30 days',
    by: 'cheat',
    async play({ app, open, end, pin, wait }, cheat) {
      const winners = [await open(cheat, BONK, 1), await open(cheat, WIF, 1)];
      for (const mint of TOKENS.slice(2, 8)) await open(cheat, mint, 1);
      await pin(...TOKENS.slice(2).map((mint) => ({ mint, price: 0.1 })));
      await app.advance(HOUR_MS);
      for (const call of winners) await end(cheat, call, 1.6);
      await wait(CALL_AUTO_END_MS);
      await app.runCron();
    },
  },
  {
    name: 'many gains of half a percent, which are losses for followers',
    by: 'cheat',
    play: (environment, cheat) =>
      environment.play(
        cheat,
        Array.from({ length: MAX_CALLS_PER_HOUR }, () => 0.5),
      ),
  },
  {
    name: 'ten calls of one lucky hour',
    by: 'cheat',
    play: (environment, cheat) =>
      environment.play(
        cheat,
        Array.from({ length: MAX_CALLS_PER_HOUR }, () => 60),
      ),
  },
  {
    name: 'ten calls of one lucky hour as the first ones',
    by: 'fresh',
    play: (environment, cheat) =>
      environment.play(
        cheat,
        Array.from({ length: MAX_CALLS_PER_HOUR }, () => 60),
      ),
  },
  {
    name: 'tokens that rise by 150% and lose all liquidity a minute after the end',
    by: 'cheat',
    async play({ app, open, end, pin }, cheat) {
      for (const mint of TOKENS.slice(0, 4)) {
        const call = await open(cheat, mint, 1);
        await app.advance(HOUR_MS);
        await end(cheat, call, 2.5);
        await pin({ mint, price: 0.01, liquidityUsd: 0 });
        await app.advance(3 * MINUTE_MS);
      }
    },
  },
  {
    name: 'pumping losing calls for the minute of the mark',
    by: 'cheat',
    async play({ app, open, end, pin }, cheat) {
      for (const mint of TOKENS.slice(0, 4)) {
        const call = await open(cheat, mint, 1);
        await app.advance(HOUR_MS);
        await end(cheat, call, 0.9);
        await pin({ mint, price: 1_000 });
        await app.advance(3 * MINUTE_MS);
      }
    },
  },
  {
    name: 'ending winners and keeping losers open from the first call on',
    by: 'fresh',
    async play({ app, open, end, wait }, cheat) {
      for (const mint of TOKENS.slice(0, 12)) {
        const call = await open(cheat, mint, 1);
        await app.advance(HOUR_MS);
        if (mint !== TOKENS[0]) await end(cheat, call, 1.6);
        await wait(DAY_MS);
      }
    },
  },
  {
    name: 'ending winners and keeping losers open',
    by: 'cheat',
    async play({ app, open, end }, cheat) {
      const calls: TokenCall[] = [];
      for (const mint of TOKENS.slice(0, 8)) calls.push(await open(cheat, mint, 1));
      await app.advance(HOUR_MS);
      for (const call of calls.slice(0, 2)) await end(cheat, call, 1.6);
    },
    climbs: ['avgReturn'],
  },
];

describe('cheats', () => {
  let environment: CheatEnvironment;

  beforeEach(async () => {
    environment = await createCheatEnvironment();
    expect(await environment.placesOf(environment.honest)).toEqual({ avgReturn: 1, winRate: 1, proven: 1 });
    expect(await environment.placesOf(environment.modest)).toEqual({ avgReturn: 2, winRate: 2, proven: 2 });
    expect(await environment.placesOf(environment.cheat)).toEqual({ avgReturn: 3, winRate: 3, proven: 3 });
    expect(await environment.placesOf(environment.fresh)).toEqual({ avgReturn: 4, winRate: 4, proven: 4 });
  });

  it.each(cheats)('a caller does not rise in the directory by $name', async ({ by, play, climbs = [] }) => {
    const place = by === 'cheat' ? 3 : 4;
    await play(environment, environment[by]);
    await control('DELETE', '/faults');
    await environment.app.advance(3 * MINUTE_MS);
    const places = await environment.placesOf(environment[by]);
    expect(ORDERS.filter((order) => places[order] < place)).toEqual(climbs);
    expect(await environment.placesOf(environment.honest)).toMatchObject(
      Object.fromEntries(ORDERS.filter((order) => !climbs.includes(order)).map((order) => [order, 1])),
    );
  });
});
