import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_QUOTE_AGE_MS, MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';
import { unrankedReason } from './ranking.ts';

const NOW = 1_800_000_000_000;
const fresh = { price: '2', quotedAt: NOW };
const named = (...amounts: (number | null)[]) => amounts.map((liquidityUsd) => ({ ...fresh, liquidityUsd }));

describe('unrankedReason', () => {
  it.each<[string, (number | null)[], ReturnType<typeof unrankedReason>]>([
    ['no source', [], 'unknown_liquidity'],
    ['no source that names its liquidity', [null, null], 'unknown_liquidity'],
    ['no source with a valid amount', [Number.NaN, Number.POSITIVE_INFINITY, -1], 'unknown_liquidity'],
    ['zero liquidity', [0, null], 'thin_liquidity'],
    ['one cent below the minimum', [MIN_RANKED_LIQUIDITY_USD - 0.01], 'thin_liquidity'],
    ['two amounts below the minimum', [9_999, 9_999], 'thin_liquidity'],
    ['exactly the minimum', [MIN_RANKED_LIQUIDITY_USD], null],
    ['enough liquidity at one of two sources', [310, MIN_RANKED_LIQUIDITY_USD], null],
    ['enough liquidity at the only source that names it', [null, 12_600_000], null],
    ['too little liquidity next to an invalid amount', [Number.POSITIVE_INFINITY, 310], 'thin_liquidity'],
  ])('returns for %s (%j): %s', (_name, amounts, reason) =>
    expect(unrankedReason(named(...amounts), NOW)).toBe(reason),
  );

  it.each<[string, Partial<typeof fresh> | { price: null }]>([
    ['is too old', { quotedAt: NOW - MAX_QUOTE_AGE_MS - 1 }],
    ['has no price', { price: null }],
  ])('ignores a source that %s', (_name, flaw) => {
    const flawed = (liquidityUsd: number) => ({ ...fresh, ...flaw, liquidityUsd });
    expect(unrankedReason([flawed(12_600_000)], NOW)).toBe('unknown_liquidity');
    expect(unrankedReason([flawed(12_600_000), ...named(310)], NOW)).toBe('thin_liquidity');
    expect(unrankedReason([...named(12_600_000), flawed(310)], NOW)).toBeNull();
  });

  it('counts a quote of exactly the maximum age', () =>
    expect(
      unrankedReason([{ ...fresh, quotedAt: NOW - MAX_QUOTE_AGE_MS, liquidityUsd: 12_600_000 }], NOW),
    ).toBeNull());

  const amounts = fc.array(fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })), { maxLength: 5 });

  it('ranks a call if and only if a source names enough liquidity, in any order', () =>
    fc.assert(
      fc.property(amounts, (asked) => {
        const isRanked = unrankedReason(named(...asked), NOW) === null;
        expect(isRanked).toBe(asked.some((usd) => usd !== null && usd >= MIN_RANKED_LIQUIDITY_USD));
        expect(unrankedReason(named(...asked.toReversed()), NOW)).toBe(unrankedReason(named(...asked), NOW));
      }),
    ));

  it('keeps a call ranked when another source is added', () =>
    fc.assert(
      fc.property(amounts, fc.double(), (asked, more) => {
        if (unrankedReason(named(...asked), NOW) === null) {
          expect(unrankedReason(named(...asked, more), NOW)).toBeNull();
        }
      }),
    ));
});
