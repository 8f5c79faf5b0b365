import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MIN_COUNTED_HOLD_MS, MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';
import { liquidityReason, uncountedGainReason, unrankedReason, type CallEnding } from './ranking.ts';

const quotes = (...amounts: (number | null)[]) => amounts.map((liquidityUsd) => ({ liquidityUsd }));

it.each<[string, (number | null)[], ReturnType<typeof unrankedReason>]>([
  ['no usable quote', [], 'one_source'],
  ['one usable quote with enough liquidity', [12_600_000], 'one_source'],
  ['two quotes that name no liquidity', [null, null], 'unknown_liquidity'],
  ['two quotes with too little liquidity', [9_999, 310], 'thin_liquidity'],
  ['two quotes, one of them with too little liquidity', [310, MIN_RANKED_LIQUIDITY_USD], 'thin_liquidity'],
  ['two quotes with enough liquidity', [MIN_RANKED_LIQUIDITY_USD, MIN_RANKED_LIQUIDITY_USD], null],
  ['two quotes, one of them with a known liquidity', [null, 12_600_000], null],
])('a call with %s (%j) has the unranked reason %s', (_name, amounts, reason) =>
  expect(unrankedReason(quotes(...amounts))).toBe(reason),
);

it.each<[string, (number | null)[], ReturnType<typeof liquidityReason>]>([
  ['no source', [], 'unknown_liquidity'],
  ['no source with a valid amount', [Number.NaN, Number.POSITIVE_INFINITY, -1], 'unknown_liquidity'],
  ['zero liquidity', [0, null], 'thin_liquidity'],
  ['one cent below the minimum', [MIN_RANKED_LIQUIDITY_USD - 0.01], 'thin_liquidity'],
  ['exactly the minimum', [MIN_RANKED_LIQUIDITY_USD], null],
  ['too little liquidity next to an invalid amount', [Number.POSITIVE_INFINITY, 310], 'thin_liquidity'],
])('the liquidity of %s (%j) has the unranked reason %s', (_name, amounts, reason) =>
  expect(liquidityReason(amounts)).toBe(reason),
);

const amounts = fc.array(fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })), { maxLength: 5 });

it('the liquidity is enough if and only if every amount that a source names is enough, in any order', () =>
  fc.assert(
    fc.property(amounts, (requested) => {
      const known = requested.filter((usd) => usd !== null);
      const isEnough = liquidityReason(requested) === null;
      expect(isEnough).toBe(known.length > 0 && known.every((usd) => usd >= MIN_RANKED_LIQUIDITY_USD));
      expect(liquidityReason(requested.toReversed())).toBe(liquidityReason(requested));
    }),
  ));

it('thin liquidity stays the unranked reason, whatever amount one more source names', () =>
  fc.assert(
    fc.property(amounts, fc.double(), (requested, more) => {
      if (liquidityReason(requested) === 'thin_liquidity') {
        expect(liquidityReason([...requested, more])).toBe('thin_liquidity');
      }
    }),
  ));

const gain: CallEnding = {
  isRanked: true,
  changePercent: 5,
  heldMs: MIN_COUNTED_HOLD_MS,
  usable: quotes(MIN_RANKED_LIQUIDITY_USD, null),
};

const one = quotes(1e9);

it.each<[string, Partial<CallEnding>, ReturnType<typeof uncountedGainReason>]>([
  ['a gain after ten minutes at two sources', {}, null],
  ['a gain a moment before ten minutes', { heldMs: MIN_COUNTED_HOLD_MS - 1 }, 'short_hold'],
  ['a gain at one source', { usable: one }, 'one_source'],
  ['a gain at quotes of unknown age', { usable: [] }, 'one_source'],
  ['a gain after its liquidity is gone', { usable: quotes(9_999, 1e9) }, 'thin_liquidity'],
  ['a gain while no source names its liquidity', { usable: quotes(null, null) }, 'unknown_liquidity'],
  ['a short gain at one source', { heldMs: 0, usable: one }, 'short_hold'],
  ['a short loss at one source', { changePercent: -0.1, heldMs: 0, usable: one }, null],
  ['no change at one source', { changePercent: 0, heldMs: 0, usable: one }, null],
  ['a gain of an unranked call', { isRanked: false, heldMs: 0, usable: one }, null],
])('%s (%j) has the reason %s not to count', (_name, change, reason) =>
  expect(uncountedGainReason({ ...gain, ...change })).toBe(reason),
);
