import { expect, inject } from 'vitest';
import {
  ACTIVE_CALLER_MS,
  CALL_AUTO_END_MS,
  MAX_CALLS_PER_DAY,
  MAX_CALLS_PER_HOUR,
  MIN_COUNTED_HOLD_MS,
  REPEATED_MINT_MS,
  SECOND_SOURCE_WAIT_MS,
  UNPRICED_END_MS,
} from '#schema/constants/market.ts';
import { MICRO_CAP_USD } from '#schema/constants/prices.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { STABLE_COIN_MINTS } from '#schema/rules/calls/stable-coin-mints.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expectRefusal, readResponse } from '../responses.ts';
import { breakSource, breakSources, endFaults } from '../price-sources.ts';
import { control, type Person } from '../test-app.ts';
import { createFundedWallet } from '../payments/chain.ts';
import { pay } from '../payments/payments.ts';
import { callBody, createCaller, MINTS, proveWallet } from './callers.ts';
import { ownTokenUsd, pumpedAgainUsd, pumpedUsd, subscribedUsd } from './cheat-costs.ts';
import {
  DEEP_USD,
  RECORDS,
  TOKENS,
  type CheatEnvironment,
  type Order,
  type Pool,
} from './cheat-environment.ts';

type Play = (environment: CheatEnvironment, cheat: CheatEnvironment['cheat']) => Promise<unknown>;

export interface Cheat {
  /** Completes the sentence "a caller gains no place by ...". Also its row in docs/decisions/033-cheats.md. */
  readonly name: string;
  /** The caller who plays it: `cheat` has a short record and is the default, `fresh` has none. */
  readonly by?: 'cheat' | 'fresh';
  readonly play: Play;
  /** The cost on the real market; default: 0. */
  readonly costUsd?: number;
  /** The orders in which places are compared; default: those by a rate or return. */
  readonly orders?: readonly Order[];
  /** The sort orders in which the cheat still gains places. 033-cheats.md gives the reasons. */
  readonly climbs?: readonly Order[];
}

const { BONK, WIF } = MINTS;
const SHORT_CALLS = inject('isDeep') ? 60 : 10;
const DAYS_OF_GAINS = inject('isDeep') ? 7 : 1;

const LONG_ENOUGH = MIN_COUNTED_HOLD_MS + MINUTE_MS;

/** The least that a ranked token needs, kept for a day and an hour. */
const OWN_TOKEN = {
  liquidityUsd: MICRO_CAP_USD,
  volumeUsd: MICRO_CAP_USD,
  heldMs: DAY_MS + HOUR_MS,
} as const;
const OWN_POOL = {
  liquidityUsd: OWN_TOKEN.liquidityUsd,
  volume24hUsd: OWN_TOKEN.volumeUsd,
  poolAgeMs: OWN_TOKEN.heldMs,
};
const follow = (person: Person, callerId: string) => person.post('/api/subscriptions/free', { callerId });
/** Sets the fee and pays it from own accounts. */
const subscribe =
  (count: number, monthlyFee: string): Play =>
  async ({ app }, cheat) => {
    await proveWallet(cheat, await createFundedWallet());
    await readResponse(cheat.patch('/api/user/caller-profile', { monthlyFee }));
    for (let index = 1; index <= count; index++) {
      await pay({ person: await app.signIn(`helper_${index}`), callerId: cheat.id });
    }
  };
const untilMidnight = (now: number) => DAY_MS - (now % DAY_MS);

/** A call on BONK at 1, held for an hour in deep pools, unless it says otherwise. */
interface Trade {
  readonly mint?: string;
  readonly from?: number;
  readonly to: number;
  readonly heldMs?: number;
  readonly pools?: readonly Pool[];
  /** Default: `pools`. */
  readonly endPools?: readonly Pool[];
  readonly opened?: Partial<TokenCall>;
  readonly ended?: Partial<TokenCall>;
}

const trade =
  ({ mint = BONK, from = 1, to, heldMs = HOUR_MS, pools = [], endPools = pools, ...calls }: Trade): Play =>
  async ({ app, open, end }, cheat) => {
    const { opened = {}, ended = {} } = calls;
    const call = await open(cheat, mint, from, ...pools);
    expect(call).toMatchObject(opened);
    await app.advance(heldMs);
    expect(await end(cheat, call, to, ...endPools)).toMatchObject(ended);
  };
const inTurn =
  (...plays: readonly Play[]): Play =>
  async (environment, cheat) => {
    for (const play of plays) await play(environment, cheat);
  };
const wait =
  (milliseconds: number): Play =>
  ({ app }) =>
    app.advance(milliseconds);
const passDay: Play = (environment) => environment.wait(DAY_MS);
const pinned =
  (...pins: readonly (Pool & { readonly mint: string })[]): Play =>
  ({ pin }) =>
    pin(...pins);
/** Plays on the first tokens, one after the other. */
const onTokens = (count: number, playOn: (mint: string) => Play) =>
  inTurn(...TOKENS.slice(0, count).map(playOn));
/** A call on BONK that is opened while a source is down. */
const tradeAlone =
  (to: number, heldMs: number): Play =>
  async ({ app, open, end }, cheat) => {
    await breakSource('dexscreener');
    const call = await open(cheat, BONK, 1);
    expect(call.unrankedReason).toBe('one_source');
    await endFaults();
    await app.advance(heldMs);
    await end(cheat, call, to);
  };
/** As many calls as an hour may have, each with this change in percent. */
const anHourOf =
  (change: number, heldMs?: number) =>
  (environment: CheatEnvironment, cheat: Person): Promise<TokenCall[]> =>
    environment.play(
      cheat,
      Array.from({ length: MAX_CALLS_PER_HOUR }, () => change),
      heldMs,
    );

export const cheats: readonly Cheat[] = [
  {
    name: 'a token with 300 USD of liquidity at 100,000 times its entry',
    costUsd: ownTokenUsd({ liquidityUsd: 310, factor: 100_000 }),
    play: trade({
      mint: MINTS.THIN,
      from: 0.0001,
      to: 10,
      pools: [{ liquidityUsd: 310 }],
      opened: { unrankedReason: 'micro_cap' },
    }),
  },
  {
    name: 'one lucky call while a source is down',
    play: tradeAlone(100, HOUR_MS),
  },
  {
    name: 'gains of 1.01%, each held half a second',
    async play(environment, cheat) {
      for (let played = 0; played < SHORT_CALLS; played += MAX_CALLS_PER_HOUR) {
        const ended = await anHourOf(1.01, 500)(environment, cheat);
        for (const { uncountedGainReason } of ended) expect(uncountedGainReason).toBe('short_hold');
        await environment.wait(2 * DAY_MS);
      }
    },
  },
  {
    name: 'using up a source with rejected calls, then ending at the pumped price of the other one',
    costUsd: pumpedUsd({ liquidityUsd: DEEP_USD, factor: 2 }),
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
    name: 'opening a token again a moment before a day has passed',
    play: inTurn(
      trade({ to: 0.9, heldMs: 0 }),
      wait(REPEATED_MINT_MS - 1),
      trade({ from: 0.9, to: 9, heldMs: LONG_ENOUGH, opened: { unrankedReason: 'repeated_mint' } }),
    ),
  },
  {
    name: 'ending while only the pumped source responds',
    costUsd: pumpedUsd({ liquidityUsd: DEEP_USD, factor: 10 }),
    async play({ app, open, end }, cheat) {
      const call = await open(cheat, BONK, 1);
      await app.advance(HOUR_MS);
      await breakSource('jupiter');
      expect(await end(cheat, call, 10)).toMatchObject({ uncountedGainReason: 'one_source' });
    },
  },
  {
    name: 'ending a pump within ten minutes',
    costUsd: pumpedUsd({ liquidityUsd: DEEP_USD, factor: 10 }),
    play: trade({ to: 10, heldMs: MIN_COUNTED_HOLD_MS - 1, ended: { uncountedGainReason: 'short_hold' } }),
  },
  {
    name: 'a thin pool behind the old quote of a deep one',
    costUsd: ownTokenUsd({ liquidityUsd: 300, factor: 100 }),
    play: trade({
      to: 100,
      pools: [
        { source: 'jupiter', liquidityUsd: 1e9, ageMs: 61_000 },
        { source: 'dexscreener', liquidityUsd: 300 },
      ],
      opened: { unrankedReason: 'micro_cap' },
      endPools: [{ liquidityUsd: 300 }],
    }),
  },
  {
    name: 'a made-up deep pool that only one source believes in',
    costUsd: ownTokenUsd({ liquidityUsd: 300, factor: 100 }),
    play: trade({
      to: 100,
      pools: [
        { source: 'jupiter', liquidityUsd: 300 },
        { source: 'dexscreener', liquidityUsd: 1e9 },
      ],
      opened: { unrankedReason: 'micro_cap' },
      endPools: [],
    }),
  },
  {
    name: 'a token of their own, hours old, with exactly enough liquidity and traded with themselves',
    costUsd: ownTokenUsd({
      liquidityUsd: MICRO_CAP_USD,
      volumeUsd: MICRO_CAP_USD,
      factor: 4,
      heldMs: 6 * HOUR_MS,
    }),
    play: trade({
      to: 4,
      pools: [{ ...OWN_POOL, poolAgeMs: 5 * HOUR_MS }],
      opened: { unrankedReason: 'micro_cap' },
      endPools: [{ ...OWN_POOL, poolAgeMs: 6 * HOUR_MS }],
    }),
  },
  {
    name: 'a token with liquidity that nobody trades',
    costUsd: ownTokenUsd({ liquidityUsd: DEEP_USD, factor: 100, heldMs: DAY_MS }),
    play: trade({
      to: 100,
      pools: [{ volume24hUsd: MICRO_CAP_USD - 1 }],
      opened: { unrankedReason: 'micro_cap' },
      endPools: [],
    }),
  },
  {
    name: 'calls on stablecoins, ended at any rise',
    by: 'fresh',
    play: inTurn(
      ...STABLE_COIN_MINTS.slice(0, 2).map((mint, index) => {
        const heldMs = DAY_MS * (index + 1);
        return trade({ mint, to: 1.001, heldMs, opened: { unrankedReason: 'stablecoin' } });
      }),
    ),
  },
  {
    name: 'waiting for the moments when one source lags behind the other one',
    async play({ app, open, end }, cheat) {
      const calls: TokenCall[] = [];
      for (const mint of TOKENS.slice(0, MAX_CALLS_PER_HOUR)) {
        calls.push(await open(cheat, mint, 0.98, { source: 'jupiter' }, { price: 1, source: 'dexscreener' }));
      }
      await app.advance(LONG_ENOUGH);
      for (const call of calls) {
        await end(cheat, call, 1.02, { source: 'jupiter' }, { price: 1, source: 'dexscreener' });
      }
    },
  },
  {
    name: 'never ending a loser whose token has no price any more',
    async play({ app, open, pin, wait }, cheat) {
      await open(cheat, BONK, 1);
      await pin({ mint: BONK, price: null });
      await app.advance(MINUTE_MS);
      await app.runJobs('prices');
      await wait(UNPRICED_END_MS);
      await app.runJobs('calls');
    },
  },
  {
    name: 'never ending a loser about whose price the sources disagree',
    async play({ app, open, pin, wait }, cheat) {
      const { id } = await open(cheat, BONK, 1);
      await pin(
        { mint: BONK, price: 0.1, source: 'jupiter' },
        { mint: BONK, price: 1, source: 'dexscreener' },
      );
      await wait(CALL_AUTO_END_MS + SECOND_SOURCE_WAIT_MS);
      await app.runJobs('calls');
      expect(await readResponse(app.request(`/api/token-calls/${id}`))).toMatchObject({
        endPrice: '0.1',
        automaticEnd: 'time_limit',
      });
    },
  },
  {
    name: 'keeping losers open, once they are open for 30 days',
    async play({ app, open, end, pin, wait }, cheat) {
      const winners = [await open(cheat, BONK, 1), await open(cheat, WIF, 1)];
      for (const mint of TOKENS.slice(2, 8)) await open(cheat, mint, 1);
      await pin(...TOKENS.slice(2).map((mint) => ({ mint, price: 0.1 })));
      await app.advance(HOUR_MS);
      for (const call of winners) await end(cheat, call, 1.6);
      await wait(CALL_AUTO_END_MS);
      await app.runJobs('calls');
    },
  },
  {
    name: 'many gains of half a percent, which are losses for followers',
    play: anHourOf(0.5),
  },
  {
    name: 'ten calls of one lucky hour',
    play: anHourOf(60),
    climbs: ['avgReturn', 'followerReturn'],
  },
  {
    name: 'ten calls of one lucky hour as the first ones',
    by: 'fresh',
    play: anHourOf(60),
  },
  {
    name: 'tokens that rise by 150% and lose all liquidity a minute after the end',
    costUsd:
      4 * ownTokenUsd({ liquidityUsd: DEEP_USD, volumeUsd: MICRO_CAP_USD, factor: 2.5, heldMs: DAY_MS }),
    play: onTokens(4, (mint) =>
      inTurn(trade({ mint, to: 2.5 }), pinned({ mint, price: 0.01, liquidityUsd: 0 }), wait(3 * MINUTE_MS)),
    ),
  },
  {
    name: 'pumping losing calls for the minute of the mark',
    costUsd: 4 * pumpedUsd({ liquidityUsd: DEEP_USD, factor: 1_000 }),
    play: onTokens(4, (mint) =>
      inTurn(trade({ mint, to: 0.9 }), pinned({ mint, price: 1_000 }), wait(3 * MINUTE_MS)),
    ),
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
    async play({ app, open, end }, cheat) {
      const calls: TokenCall[] = [];
      for (const mint of TOKENS.slice(0, 8)) calls.push(await open(cheat, mint, 1));
      await app.advance(HOUR_MS);
      for (const call of calls.slice(0, 4)) await end(cheat, call, 1.6);
    },
    climbs: ['avgReturn', 'followerReturn'],
  },
  {
    name: 'ten own tokens, a day old, with exactly enough liquidity and traded with themselves, called twice each',
    by: 'fresh',
    costUsd: 10 * (ownTokenUsd({ ...OWN_TOKEN, factor: 3 }) + pumpedAgainUsd({ ...OWN_TOKEN, factor: 3 })),
    play: inTurn(
      ...Array<Play>(2).fill(
        onTokens(10, (mint) =>
          inTurn(trade({ mint, to: 3, pools: [OWN_POOL], opened: { unrankedReason: null } }), passDay),
        ),
      ),
    ),
    climbs: ['avgReturn', 'winRate', 'proven', 'followerReturn', 'afterFee'],
  },
  {
    name: 'one own token that stays at three times its entry for a minute after the end',
    costUsd: ownTokenUsd({ ...OWN_TOKEN, factor: 3 }),
    play: trade({ to: 3, pools: [OWN_POOL], opened: { unrankedReason: null } }),
    climbs: ['avgReturn', 'followerReturn'],
  },
  {
    name: 'one own token at 1,000,000 times its entry',
    costUsd: ownTokenUsd({ ...OWN_TOKEN, factor: 1e6 }),
    play: inTurn(trade({ to: 1e6, pools: [OWN_POOL] }), pinned({ mint: BONK, price: null })),
    climbs: ['avgReturn'],
  },
  {
    name: 'a call a day on ten staked-SOL tokens, all ended together once they are up',
    by: 'fresh',
    async play({ wait, open, end, pin }, cheat) {
      for (const target of [1.2, 1.44]) {
        const calls: TokenCall[] = [];
        for (const mint of TOKENS.slice(0, 10)) {
          calls.push(await open(cheat, mint, target / 1.2));
          await wait(DAY_MS);
        }
        await pin(...TOKENS.slice(0, 10).map((mint) => ({ mint, price: target })));
        for (const call of calls) await end(cheat, call, target);
      }
    },
  },
  {
    name: 'stopping once proven',
    play: ({ wait }) => wait(ACTIVE_CALLER_MS + DAY_MS),
  },
  {
    name: 'a small ranked call every 29 days, to stay among the proven',
    play: inTurn(...Array<Play>(2).fill(inTurn(({ wait }) => wait(29 * DAY_MS), trade({ to: 1.01 })))),
  },
  {
    name: 'hiding ten losses of half behind 210 small gains in a week',
    by: 'fresh',
    async play(environment, cheat) {
      const playHour = async (hour: number, change: number) => {
        const first = hour * MAX_CALLS_PER_HOUR;
        const mints = TOKENS.slice(first, first + MAX_CALLS_PER_HOUR);
        const calls: TokenCall[] = [];
        for (const mint of mints) calls.push(await environment.open(cheat, mint, 1));
        await environment.app.advance(HOUR_MS);
        for (const call of calls) await environment.end(cheat, call, change);
      };
      await playHour(0, 0.5);
      for (let day = 0; day < DAYS_OF_GAINS; day++) {
        await environment.wait(DAY_MS);
        for (const hour of [0, 1, 2]) await playHour(hour, 1.02);
      }
    },
  },
  {
    name: 'ending in a minute in which no source prices SOL, while SOL rises as much',
    async play({ app, open, end, pin }, cheat) {
      await pin({ mint: WRAPPED_SOL_MINT, price: 100 });
      const calls: TokenCall[] = [];
      for (const mint of TOKENS.slice(0, 8)) calls.push(await open(cheat, mint, 1));
      await app.advance(HOUR_MS);
      for (const call of calls) await end(cheat, call, 1.05);
      await pin({ mint: WRAPPED_SOL_MINT, price: null });
    },
  },
  {
    name: 'copying each call of a free caller ten seconds later',
    by: 'fresh',
    async play({ app, honest, open, end, wait }, cheat) {
      for (let day = 0; day < 24; day++) {
        const mint = TOKENS[day] ?? '';
        const change = 1 + (RECORDS.honest[day % RECORDS.honest.length] ?? 0) / 100;
        const original = await open(honest, mint, 1);
        await app.advance(10 * SECOND_MS);
        const copy = await open(cheat, mint, 1);
        await app.advance(HOUR_MS);
        await end(honest, original, change);
        await app.advance(10 * SECOND_MS);
        await end(cheat, copy, change);
        await wait(DAY_MS);
      }
    },
    climbs: ['avgReturn', 'winRate', 'proven', 'followerReturn', 'afterFee'],
  },
  {
    name: 'one own token whose liquidity and price are gone a minute after the end',
    costUsd: ownTokenUsd({ ...OWN_TOKEN, factor: 10 }),
    play: inTurn(trade({ to: 10, pools: [OWN_POOL] }), pinned({ mint: BONK, price: null })),
    climbs: ['avgReturn'],
  },
  {
    name: 'one very lucky day of 30 calls after nine days at -1%',
    by: 'fresh',
    async play(environment, cheat) {
      const { app, open, end } = environment;
      await onTokens(9, (mint) => inTurn(trade({ mint, to: 0.99 }), passDay))(environment, cheat);
      const calls: TokenCall[] = [];
      await app.advance(untilMidnight(app.clock.now()));
      for (const mint of TOKENS.slice(0, MAX_CALLS_PER_DAY)) {
        calls.push(await open(cheat, mint, 1));
        await app.advance(HOUR_MS / MAX_CALLS_PER_HOUR);
      }
      for (const call of calls) {
        await app.advance(MINUTE_MS);
        await end(cheat, call, 1.32);
      }
    },
  },
  {
    name: 'twenty calls opened in parallel before a lucky hour',
    by: 'fresh',
    async play({ app, pin, requestOpen, end }, cheat) {
      const mints = TOKENS.slice(0, 20);
      await pin(...mints.map((mint) => ({ mint, price: 1 })));
      const responses = await Promise.all(mints.map((mint) => requestOpen(cheat, mint, 1)));
      const opened = responses.filter(({ status }) => status === 201);
      expect(opened).toHaveLength(MAX_CALLS_PER_HOUR);
      await app.advance(HOUR_MS);
      for (const response of opened) await end(cheat, await readResponse<TokenCall>(response, 201), 1.6);
    },
  },
  {
    name: 'many small gains on the day of a loss',
    play: (environment, cheat) => environment.play(cheat, [-30, 3, 3, 3, 3, 3, 3, 3, 3, 3]),
  },
  {
    name: 'small gains on the token of a loss, on the same day',
    async play(environment, cheat) {
      let price = 0.5;
      await trade({ to: price, heldMs: 0 })(environment, cheat);
      for (let count = 1; count < MAX_CALLS_PER_HOUR; count++) {
        await environment.app.advance(LONG_ENOUGH);
        const [from, to, heldMs] = [price, (price *= 1.03), LONG_ENOUGH];
        await trade({ from, to, heldMs, opened: { unrankedReason: 'repeated_mint' } })(environment, cheat);
      }
    },
  },
  {
    name: 'the same symbol on a look-alike token, for the same move',
    costUsd: ownTokenUsd({ ...OWN_TOKEN, factor: 1.2 }),
    async play({ app, open, end, pin, requestOpen }, cheat) {
      const call = await open(cheat, BONK, 1);
      await pin({ mint: MINTS.FAKE_BONK, price: 1 });
      await expectRefusal(requestOpen(cheat, MINTS.FAKE_BONK, 1), 'calls.already_called');
      await app.advance(HOUR_MS);
      await end(cheat, call, 1.2);
    },
  },
  {
    name: 'opening at the old quote of a source, while the other one has risen',
    play: trade({
      to: 5,
      pools: [
        { source: 'jupiter', ageMs: 61_000 },
        { source: 'dexscreener', price: 1.02 },
      ],
      opened: { entryPrice: '1.02', unrankedReason: 'one_source' },
      endPools: [],
    }),
  },
  {
    name: 'trying a token with an unranked call, and calling it again once it has risen',
    play: inTurn(
      tradeAlone(2, LONG_ENOUGH),
      trade({ from: 2, to: 4, heldMs: LONG_ENOUGH, opened: { unrankedReason: 'repeated_mint' } }),
    ),
  },
  {
    name: 'a dollar token with interest that is not on the list of stablecoins, called every day',
    play: inTurn(
      ...Array<Play>(10).fill(inTurn(trade({ to: 1.0005, opened: { unrankedReason: null } }), passDay)),
    ),
  },
  {
    name: 'ending losers a moment before both price sources fail',
    async play(environment, cheat) {
      await environment.play(cheat, [-10, -10, -10]);
      await breakSources();
      await environment.app.advance(3 * MINUTE_MS);
    },
  },
  {
    name: 'pumping a deep token for the moment of the end',
    costUsd: pumpedUsd({ liquidityUsd: DEEP_USD, factor: 2.6 }),
    play: inTurn(trade({ to: 2.6 }), pinned({ mint: BONK, price: 1 })),
    climbs: ['avgReturn'],
  },
  {
    name: 'pumping a deep token for the minute in which a loser ends automatically',
    costUsd: pumpedUsd({ liquidityUsd: DEEP_USD, factor: 8 }),
    async play({ app, open, pin, wait }, cheat) {
      const { id } = await open(cheat, BONK, 1);
      await pin({ mint: BONK, price: 0.3 });
      await wait(CALL_AUTO_END_MS);
      await pin({ mint: BONK, price: 2.4 });
      await app.runJobs('calls');
      await pin({ mint: BONK, price: 0.3 });
      const call = await readResponse<TokenCall>(app.request(`/api/token-calls/${id}`));
      expect(call).toMatchObject({ endPrice: '2.4', automaticEnd: 'time_limit' });
    },
    climbs: ['avgReturn'],
  },
  {
    name: 'following themselves from twelve own accounts',
    orders: ['subscribers'],
    async play({ app }, cheat) {
      await expectRefusal(follow(cheat, cheat.id), 'subscriptions.self');
      for (let count = 1; count <= 12; count++) {
        await readResponse(follow(await app.signIn(`helper_${count}`), cheat.id), 201);
      }
    },
  },
  {
    name: 'lowering the fee while visitors compare, and raising it again',
    async play(_environment, cheat) {
      for (const monthlyFee of ['0.5', '0.01', '0.5']) {
        await readResponse(cheat.patch('/api/user/caller-profile', { monthlyFee }));
      }
    },
  },
  {
    name: 'four own accounts that pay 0.04 SOL',
    costUsd: subscribedUsd(4, 0.04),
    orders: ['subscribers'],
    play: subscribe(4, '0.04'),
  },
  {
    name: 'four own accounts that pay 0.05 SOL',
    costUsd: subscribedUsd(4, 0.05),
    orders: ['subscribers'],
    play: subscribe(4, '0.05'),
    climbs: ['subscribers'],
  },
  {
    name: 'thirteen calls on micro-caps in two hours',
    orders: ['totalCalls', 'lastCall'],
    async play(environment, cheat) {
      const micro = { liquidityUsd: 5_000, volume24hUsd: 5_000 };
      for (const [index, mint] of TOKENS.slice(0, 13).entries()) {
        if (index === MAX_CALLS_PER_HOUR) await environment.app.advance(HOUR_MS);
        await trade({ mint, to: 1, heldMs: 0, pools: [micro], opened: { unrankedReason: 'micro_cap' } })(
          environment,
          cheat,
        );
      }
    },
  },
  {
    name: 'deleting the account after a loss and starting again',
    async play(environment, cheat) {
      const { app } = environment;
      await trade({ to: 0.1 })(environment, cheat);
      const signedIn = await app.signIn(cheat.handle);
      await readResponse(signedIn.post('/api/user/deletion', { handle: cheat.handle }));
      const again = await createCaller(app, cheat.handle);
      expect(again.id).toBe(cheat.id);
    },
  },
  {
    name: 'a target just above the entry, which is hit at once',
    async play({ pin }, cheat) {
      await pin({ mint: BONK, price: 1 });
      const body = callBody({ caller: cheat, mint: BONK, entryPrice: '1', targetPrice: '1.01' });
      await expectRefusal(cheat.post('/api/token-calls', body), 'calls.target_invalid');
    },
  },
];
