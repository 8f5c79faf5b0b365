import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changePercent } from '../calls/change-percent.ts';
import { decideQuote, lowestQuote } from './quotes.ts';
import { readPrice } from './prices.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../constants/time.ts';
import { describeUnit, isUnscaled, multiplierAt, unscaleQuotes, type MintScale } from './units.ts';

const NOW = 1_800_000_000_000;
const ten: MintScale = { multiplier: 1, newMultiplier: 10, newMultiplierAt: NOW };

/** A quote with the price of one unscaled token, as from Jupiter, or without it, as from DexScreener. */
const quote = (source: string, price: number | null, unscaledPrice: number | null = null) => ({
  source,
  price: readPrice(unscaledPrice ?? price),
  sentPrice: null,
  multiplier: unscaledPrice === null ? null : unscaledPrice / Number(price),
  failure: price === null ? ('absent' as const) : null,
  quotedAt: NOW,
  blockId: null,
  liquidityUsd: null,
  volume24hUsd: null,
  poolCreatedAt: null,
});
type Quotes = ReturnType<typeof quote>[];
const decide = (quotes: Quotes, scale: MintScale | null, side: 'open' | 'end' = 'end') => {
  const unscaled = unscaleQuotes(quotes, { scale, isRead: true, now: NOW });
  if (unscaled.unit !== 'known') return null;
  return decideQuote({ quotes: unscaled.quotes, now: NOW }, side);
};

const lowestOf = (quotes: Quotes, scale: MintScale | null | undefined) => {
  const { unit, ...unscaled } = unscaleQuotes(quotes, { scale, isRead: true, now: NOW });
  return [unit, lowestQuote({ ...unscaled, now: NOW })?.price];
};

it('the price of a token that isn’t scaled stays as it was sent, with all its digits', () => {
  const sent = { ...quote('dexscreener', 1), price: '0.12345678901234567' };
  expect(unscaleQuotes([sent], { scale: null, isRead: true, now: NOW }).quotes).toEqual([sent]);
});

it('a new multiplier applies from its effective time on', () => {
  expect([NOW - 1, NOW].map((at) => multiplierAt(ten, at))).toEqual([1, 10]);
});

it.each([
  ['accepted if it is the price times the old multiplier', 1102, 1102, true],
  ['accepted if it is the price times the new multiplier', 110.2, 1102, true],
  ['rejected if no multiplier gives it', 551, 1102, false],
  ['required for a scaled token', 110.2, null, false],
])('a source’s unscaled price is %s', (_, price, unscaled, expected) => {
  expect(isUnscaled(quote('jupiter', price, unscaled), { scale: ten, now: NOW })).toBe(expected);
});

it.each([
  ['a day before', -DAY_MS, [true, false]],
  ['minutes before', -9 * MINUTE_MS, [true, true]],
  ['hours after', 5 * HOUR_MS, [true, true]],
  ['a day after', DAY_MS, [false, true]],
])(
  '%s a change of the multiplier, unscaled prices that use the old and the new one are accepted: %j',
  (_, after, explained) => {
    const chain = { scale: { ...ten, multiplier: 5 }, now: NOW + after };
    expect([220.4, 110.2].map((price) => isUnscaled(quote('jupiter', price, 1102), chain))).toEqual(
      explained,
    );
  },
);

it.each([
  ['known if the token isn’t scaled', null, null, true],
  ['unknown if a source says that an unscaled token is scaled', null, 1102, false],
  ['unknown if the mint’s account doesn’t say', undefined, null, false],
])('the unit of a price is %s', (_, scale, unscaled, expected) => {
  expect(isUnscaled(quote('jupiter', 110.2, unscaled), { scale, now: NOW })).toBe(expected);
});

it.each([110.2, 1102, 1110])('DexScreener’s price %d agrees with Jupiter’s after a split', (price) => {
  const quotes = [quote('jupiter', 110.2, 1102), quote('dexscreener', price)];
  expect(decide(quotes, ten)).toMatchObject({ recorded: { price: '1102' } });
  const [stated, other] = unscaleQuotes(quotes, { scale: ten, isRead: true, now: NOW }).quotes;
  expect([stated?.sentPrice, other?.sentPrice]).toEqual([null, price === 110.2 ? '110.2' : null]);
});

it('two prices disagree if they differ by over 3% in every possible unit', () => {
  expect(decide([quote('jupiter', 110.2, 1102), quote('dexscreener', 115)], ten)).toEqual({
    refusal: 'disagree',
  });
});

it('if no source has an unscaled price, the price is the lowest possible one', () => {
  const alone = [quote('jupiter', null), quote('dexscreener', 110.2)];
  expect(lowestOf(alone, { ...ten, multiplier: 0.5 })).toEqual(['lowest', '55.1']);
});

it.each([
  ['DexScreener’s, if it is lower than Jupiter’s', 10, quote('dexscreener', 55.1), '55.1'],
  ['DexScreener’s times the multiplier, if that is lower', 0.1, quote('dexscreener', 5000), '500'],
  ['DexScreener’s, even if the multiplier makes it infinite', 1.7e308, quote('dexscreener', 5), '5'],
  ['Jupiter’s, if it is lower than DexScreener’s', 10, quote('dexscreener', 1102), '551'],
])(
  'if Jupiter’s unscaled price fits no multiplier on the chain, the lowest price is %s',
  (_, multiplier, other, expected) => {
    const stating = { ...quote('jupiter', 0, 551), multiplier: Infinity };
    expect(lowestOf([stating, other], { ...ten, newMultiplier: multiplier })).toEqual(['lowest', expected]);
  },
);

it('the lowest price of a mint without an account is the lower of both sources’ prices', () => {
  expect(lowestOf([quote('jupiter', 2), quote('dexscreener', 1)], undefined)).toEqual(['lowest', '1']);
});

it.each([
  ['the account of the mint can’t be read', false, quote('jupiter', 110.2)],
  [
    'a source that may know the unit is down',
    true,
    { ...quote('jupiter', null), failure: 'unavailable' as const },
  ],
])('the unit of a price is unknown while %s', (_, isRead, stating) => {
  const chain = { scale: isRead ? ten : undefined, isRead, now: NOW };
  expect(unscaleQuotes([stating, quote('dexscreener', 110.2)], chain).unit).toBe('unknown');
});

it('quotes without a price stay as they are, and no unit is missing', () => {
  const quotes = [quote('jupiter', null)];
  const unscaled = unscaleQuotes(quotes, { scale: undefined, isRead: false, now: NOW });
  expect(unscaled).toEqual({ quotes, unit: 'known' });
});

it('a token with the multiplier 1 needs no unscaled price from a source', () => {
  const same = { ...ten, newMultiplier: 1 };
  expect(decide([quote('dexscreener', 110.2)], same)).toMatchObject({ recorded: { price: '110.2' } });
});

it('the unit of prices is described only if a multiplier isn’t 1', () => {
  expect([[null], [Number.NaN], [1, 1], [10], [1, 12_500]].map(describeUnit)).toEqual([
    null,
    null,
    null,
    'Prices are for one token as the chain counts it. Wallets show it as 10 tokens.',
    'Prices are for one token as the chain counts it. Wallets show it as 1, later as 12,500 tokens.',
  ]);
});

const multiplier = fc.oneof(
  fc.constantFrom(0.01, 0.1, 0.5, 1, 2, 3, 5, 10, 100),
  fc.double({ min: 0.9, max: 1.2, noNaN: true }),
);
const unit = fc.record({
  multiplier,
  newMultiplier: multiplier,
  newMultiplierAt: fc.constantFrom(NOW - 1, NOW + 1),
  /** Which multiplier each source uses. */
  jupiter: fc.constantFrom(0, 1, 2),
  dexscreener: fc.constantFrom(0, 1, 2),
});

it('the change of a scaled token’s price is that of the unscaled price, for random multipliers and sources', () => {
  const price = fc.double({ min: 1e-6, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(price, price, unit, unit, (entry, exit, entryUnit, exitUnit) => {
      const priceIn = (
        raw: number,
        { jupiter, dexscreener, ...scale }: typeof entryUnit,
        side: 'open' | 'end',
      ) => {
        const used = [1, scale.multiplier, scale.newMultiplier];
        const quotes = [
          quote('jupiter', raw / (used[jupiter] ?? 1), raw),
          quote('dexscreener', raw / (used[dexscreener] ?? 1)),
        ];
        const decision = decide(quotes, scale, side);
        return decision && 'recorded' in decision ? Number(decision.recorded.price) : Number.NaN;
      };
      const [opened, ended] = [priceIn(entry, entryUnit, 'open'), priceIn(exit, exitUnit, 'end')];
      expect(opened / entry).toBeCloseTo(1, 9);
      expect(ended / exit).toBeCloseTo(1, 9);
      const change = changePercent(String(opened), String(ended));
      const expected = ((exit - entry) / entry) * 100;
      expect(Math.abs(change - expected)).toBeLessThanOrEqual(1e-6 * (100 + Math.abs(expected)));
    }),
    { numRuns: 1_000 },
  );
});
