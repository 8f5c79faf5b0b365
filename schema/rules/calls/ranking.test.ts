import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { MICRO_CAP_USD, MIN_POOL_AGE_MS, MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import { STABLE_COIN_MINTS } from './stable-coin-mints.ts';
import {
  isMicroCap,
  uncountedGainReason,
  unrankedReason,
  type CallEnding,
  type CallOpening,
  type MarketFigures,
} from './ranking.ts';

const NOW = 1_800_000_000_000;
const enough: MarketFigures = {
  liquidityUsd: MICRO_CAP_USD,
  volume24hUsd: MICRO_CAP_USD,
  poolCreatedAt: NOW - MIN_POOL_AGE_MS,
};
const nothing: MarketFigures = { liquidityUsd: null, volume24hUsd: null, poolCreatedAt: null };
const opening: CallOpening = {
  mint: 'mint',
  quotes: [enough, enough],
  usableCount: MIN_RANKED_QUOTES,
  now: NOW,
};

it.each<[string, Partial<CallOpening>, ReturnType<typeof unrankedReason>]>([
  ['enough of everything at two sources', {}, null],
  ['one usable quote', { usableCount: 1 }, 'one_source'],
  ['no usable quote', { usableCount: 0 }, 'one_source'],
  ['a stablecoin', { mint: STABLE_COIN_MINTS.at(-1) ?? '' }, 'stablecoin'],
  ['a micro-cap at one source', { quotes: [nothing], usableCount: 1 }, 'micro_cap'],
])('unrankedReason of a call with %s (%j) is %s', (_name, change, reason) =>
  expect(unrankedReason({ ...opening, ...change })).toBe(reason),
);

it.each<[string, Partial<MarketFigures>[], boolean]>([
  ['no source', [], true],
  ['figures exactly at the limits', [{}], false],
  ['one cent too little liquidity', [{ liquidityUsd: MICRO_CAP_USD - 0.01 }], true],
  ['one cent too little volume', [{ volume24hUsd: MICRO_CAP_USD - 0.01 }], true],
  ['a pool a millisecond too young', [{ poolCreatedAt: NOW - MIN_POOL_AGE_MS + 1 }], true],
  ['a pool from the future', [{ poolCreatedAt: NOW + 1 }], true],
  ['too little liquidity at one of two sources', [{}, { liquidityUsd: 310 }], true],
  ['figures that only one of two sources reports', [nothing, {}], false],
  ['each figure at another source', [{ liquidityUsd: null }, { ...nothing, liquidityUsd: 1e6 }], false],
  ['a volume that no source reports', [{ volume24hUsd: null }], true],
  ['a liquidity that is no number', [{ liquidityUsd: Number.NaN }], true],
])('isMicroCap of a token with %s (%j) is %s', (_name, figures, isMicro) =>
  expect(
    isMicroCap(
      figures.map((each) => ({ ...enough, ...each })),
      NOW,
    ),
  ).toBe(isMicro),
);

const amount = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }));
const reported = fc.record({
  liquidityUsd: amount,
  volume24hUsd: amount,
  poolCreatedAt: fc.option(fc.integer({ min: NOW - 3 * MIN_POOL_AGE_MS, max: NOW })),
});

it('isMicroCap ignores the order of the sources, and is true whenever one source’s liquidity is too low', () =>
  fc.assert(
    fc.property(fc.array(reported, { maxLength: 4 }), reported, (figures, more) => {
      const isMicro = isMicroCap(figures, NOW);
      expect(isMicroCap(figures.toReversed(), NOW)).toBe(isMicro);
      if (figures.some(({ liquidityUsd }) => liquidityUsd !== null && liquidityUsd < MICRO_CAP_USD)) {
        expect(isMicroCap([...figures, more], NOW)).toBe(true);
      }
    }),
  ));

const gain: CallEnding = {
  isRanked: true,
  changePercent: 5,
  heldMs: MIN_COUNTED_HOLD_MS,
  usableCount: MIN_RANKED_QUOTES,
};

it.each<[string, Partial<CallEnding>, ReturnType<typeof uncountedGainReason>]>([
  ['a gain after ten minutes at two sources', {}, null],
  ['a gain a moment before ten minutes', { heldMs: MIN_COUNTED_HOLD_MS - 1 }, 'short_hold'],
  ['a gain at one source', { usableCount: 1 }, 'one_source'],
  ['a gain at quotes of unknown age', { usableCount: 0 }, 'one_source'],
  ['a short gain at one source', { heldMs: 0, usableCount: 1 }, 'short_hold'],
  ['a short loss at one source', { changePercent: -0.1, heldMs: 0, usableCount: 1 }, null],
  ['no change at one source', { changePercent: 0, heldMs: 0, usableCount: 1 }, null],
  ['a gain of an unranked call', { isRanked: false, heldMs: 0, usableCount: 1 }, null],
])('uncountedGainReason of %s (%j) is %s', (_name, change, reason) =>
  expect(uncountedGainReason({ ...gain, ...change })).toBe(reason),
);
