import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UNPRICED_END_MS } from '#schema/constants/market.ts';
import { MAX_QUOTE_AGE_MS } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { isTooFarApart } from './prices.ts';
import {
  decideQuote,
  isStale,
  isUnpriced,
  lowestQuote,
  mayMisjudgeAge,
  seenAt,
  usableQuotes,
  type CallSide,
  type QuoteRefusal,
  type SourceQuote,
} from './quotes.ts';

const NOW = 1_000_000_000;
const quote = (source: string, change: Partial<SourceQuote>): SourceQuote => ({
  source,
  price: null,
  failure: null,
  quotedAt: NOW,
  blockId: null,
  liquidityUsd: null,
  volume24hUsd: null,
  poolCreatedAt: null,
  ...change,
});

/** One response of each kind. */
const responses = {
  price: { price: '100' },
  near: { price: '103' },
  far: { price: '103.1' },
  stale: { price: '100', quotedAt: NOW - MAX_QUOTE_AGE_MS - 1 },
  down: { failure: 'unavailable' },
  absent: { failure: 'absent' },
  nonsense: { failure: 'invalid' },
} satisfies Record<string, Partial<SourceQuote>>;
type ResponseKind = keyof typeof responses;
/** The expected decision. With 'agree', the highest price opens a call, and the lowest ends it. */
type Outcome = QuoteRefusal | 'first' | 'second' | 'agree';

/**
 * The expected decisions. Rows are responses of the first source, columns responses of the second one, in the
 * order of `responses`.
 */
const table: Readonly<Record<ResponseKind, string>> = {
  price: 'agree agree disagree first first first disagree',
  near: 'agree agree agree first first first disagree',
  far: 'disagree agree agree first first first disagree',
  stale: 'second second second stale stale stale stale',
  down: 'second second second stale unavailable missing missing',
  absent: 'second second second stale missing missing missing',
  nonsense: 'disagree disagree disagree stale missing missing missing',
};
const outcomeOf = (first: ResponseKind, second: ResponseKind) =>
  table[first].split(' ')[Object.keys(responses).indexOf(second)] as Outcome;

const order: readonly ResponseKind[] = ['price', 'near', 'far'];

/** Returns the source whose price is recorded if both agree. For equal prices, it's the first source. */
const agreed = (first: ResponseKind, second: ResponseKind, side: CallSide) => {
  const difference = order.indexOf(second) - order.indexOf(first);
  return (side === 'open' ? difference : -difference) > 0 ? 'second' : 'first';
};

/** Returns the source of the recorded price, or the refusal. */
function decide(quotes: readonly SourceQuote[], side: CallSide): string {
  const decision = decideQuote({ quotes, now: NOW }, side);
  return 'recorded' in decision ? decision.recorded.source : decision.refusal;
}

const rows = (Object.keys(responses) as ResponseKind[]).flatMap((first) =>
  (Object.keys(responses) as ResponseKind[]).map(
    (second) => [first, second, outcomeOf(first, second)] as const,
  ),
);

it.each(rows)(
  'if the two price sources respond "%s" and "%s", the decision about the price is "%s"',
  (first, second, outcome) => {
    for (const side of ['open', 'end'] as const) {
      const quotes = [quote('first', responses[first]), quote('second', responses[second])];
      expect(decide(quotes, side), side).toBe(outcome === 'agree' ? agreed(first, second, side) : outcome);
    }
  },
);

it('the decision about a price does not depend on the order of the sources', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 4 }), side, (quotes, at) => {
      // A source is named by its price, because two sources may have the same one.
      const named = quotes.map((each) => ({ ...each, source: String(each.price) }));
      expect(decide(named.toReversed(), at)).toBe(decide(named, at));
    }),
  );
});

it('a price that is exactly 60 seconds old is accepted', () => {
  const oldest = quote('first', { price: '1', quotedAt: NOW - MAX_QUOTE_AGE_MS });
  expect(decide([oldest], 'open')).toBe('first');
});

it('the price is unavailable without any source', () => {
  expect(decide([], 'end')).toBe('unavailable');
});

it.each<[ResponseKind, Outcome]>([
  ['price', 'first'],
  ['near', 'first'],
  ['far', 'disagree'],
  ['stale', 'undated'],
  ['down', 'undated'],
  ['absent', 'undated'],
  ['nonsense', 'undated'],
])(
  'if one price has an unknown age and the other source responds "%s", the decision about the price is "%s"',
  (second, outcome) => {
    const quotes = [quote('first', { price: '100', failure: 'undated' }), quote('second', responses[second])];
    expect(decide(quotes, 'end')).toBe(outcome);
  },
);

const side = fc.constantFrom<CallSide>('open', 'end');
const price = fc.constantFrom(
  '0.000000000000000001',
  '0.00000001',
  '97',
  '99',
  '100',
  '101',
  '103',
  '103.1',
  '1000000000000000',
);
const age = fc.oneof(
  fc.integer({ min: -1_000, max: 2 * MAX_QUOTE_AGE_MS }),
  fc.constantFrom(0, MAX_QUOTE_AGE_MS, MAX_QUOTE_AGE_MS + 1),
);
const anything = fc.oneof(
  fc
    .record({ price, age, failure: fc.constantFrom(null, 'undated' as const) })
    .map((drawn) => quote('', { price: drawn.price, failure: drawn.failure, quotedAt: NOW - drawn.age })),
  fc.constantFrom('unavailable', 'absent', 'invalid').map((failure) => quote('', { failure })),
);

it('a stale, contradicted or invalid price is never recorded', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 4 }), side, (several, at) => {
      const quotes = several.map((each, index) => ({ ...each, source: String(index) }));
      const decision = decideQuote({ quotes, now: NOW }, at);
      if ('refusal' in decision) return;
      const { recorded } = decision;
      expect(quotes).toContain(recorded);
      expect(NOW - recorded.quotedAt).toBeLessThanOrEqual(MAX_QUOTE_AGE_MS);
      expect(quotes.some(({ failure }) => failure === 'invalid')).toBe(false);
      expect(
        quotes.some(
          (each) => each.price !== null && each.failure === null && NOW - each.quotedAt <= MAX_QUOTE_AGE_MS,
        ),
      ).toBe(true);
      for (const other of quotes) {
        if (other.price !== null && NOW - other.quotedAt <= MAX_QUOTE_AGE_MS) {
          const [lower, higher] = at === 'open' ? [other, recorded] : [recorded, other];
          expect(Number(lower.price)).toBeLessThanOrEqual(Number(higher.price));
          expect(isTooFarApart(String(lower.price), String(higher.price))).toBe(false);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

it('lowestQuote returns the lowest usable price, even if another source contradicts it', () => {
  const input = { now: NOW };
  const quotes = [
    quote('first', { price: '9' }),
    quote('second', { price: '1' }),
    quote('', responses.nonsense),
  ];
  expect(lowestQuote({ ...input, quotes })).toMatchObject({ source: 'second', price: '1' });
  expect(lowestQuote({ ...input, quotes: [quote('first', responses.stale)] })).toBeNull();
});

it.each<[string, 'usable' | 'unusable', Partial<SourceQuote>]>([
  ['a fresh price', 'usable', { price: '1' }],
  ['a price of the maximum age', 'usable', { price: '1', quotedAt: NOW - MAX_QUOTE_AGE_MS }],
  ['an older price', 'unusable', { price: '1', quotedAt: NOW - MAX_QUOTE_AGE_MS - 1 }],
  ['no price', 'unusable', { failure: 'absent' }],
  ['a price of a slot of unknown age', 'unusable', { price: '1', blockId: 7, failure: 'undated' }],
])('a quote with %s is %s', (_name, state, change) => {
  const quotes = [quote('first', change)];
  expect(usableQuotes({ quotes, now: NOW })).toEqual(state === 'usable' ? quotes : []);
});

const old = { price: '1', blockId: 7, quotedAt: NOW - UNPRICED_END_MS };
it.each<[string, 'priced' | 'unpriced', Partial<SourceQuote>, Partial<SourceQuote>]>([
  ['know no price', 'unpriced', responses.absent, responses.absent],
  ['know no valid price', 'unpriced', responses.nonsense, responses.absent],
  ['know no price within a week', 'unpriced', old, responses.absent],
  ['know a price of this week', 'priced', { ...old, quotedAt: NOW - UNPRICED_END_MS + 1 }, responses.absent],
  ['know a price without a slot', 'priced', responses.absent, responses.price],
  ["don't all respond", 'priced', responses.absent, responses.down],
])('a token whose sources %s counts as %s', (_name, state, first, second) => {
  const quotes = [quote('first', first), quote('second', second)];
  expect(isUnpriced({ quotes, now: NOW })).toBe(state === 'unpriced');
});

it('a token whose only quote has an unknown age counts as priced', () =>
  expect(isUnpriced({ quotes: [quote('first', { ...old, failure: 'undated' })], now: NOW })).toBe(false));

const current = { slot: 1_000, at: NOW, slotMs: 250 };
it.each([
  ['the current slot', { fetchedAt: NOW, blockId: 1_000, current }, 0],
  ['a slot 150 slots ago', { fetchedAt: NOW, blockId: 850, current }, -37_500],
  ['a slot of 280.4 ms', { fetchedAt: NOW, blockId: 999, current: { ...current, slotMs: 280.4 } }, -281],
  ['a future slot', { fetchedAt: NOW, blockId: 1_400, current }, 0],
  ['no slot', { fetchedAt: NOW, blockId: null, current }, 0],
  ['an unknown current slot', { fetchedAt: NOW, blockId: 850, current: null }, 0],
  ['a current slot fetched before the price', { fetchedAt: NOW + 4_000, blockId: 1_000, current }, 0],
  ['a current slot fetched after the price', { fetchedAt: NOW - 4_000, blockId: 1_000, current }, -4_000],
])('the time of a price with $0 is NOW + $2 ms', (_name, price, offset) => {
  expect(seenAt(price)).toBe(NOW + offset);
});

it('isStale is right whenever mayMisjudgeAge is false, even if slots became five times as long or short', () => {
  fc.assert(
    fc.property(
      fc.nat(20 * MAX_QUOTE_AGE_MS),
      fc.double({ min: 0.21, max: 4.9, noNaN: true }),
      (age, change) => {
        const estimate = { at: NOW - age * change, now: NOW };
        fc.pre(!mayMisjudgeAge(estimate));
        expect(isStale(estimate)).toBe(isStale({ at: NOW - age, now: NOW }));
      },
    ),
  );
});

it.each([200, 250, 300, 400])('a price has the same age limits at slots of %i ms', (slotMs) => {
  const now = 10 * UNPRICED_END_MS;
  const slot = Math.floor(now / slotMs);
  const seen = (age: number) =>
    seenAt({ fetchedAt: now, blockId: slot - Math.ceil(age / slotMs), current: { slot, at: now, slotMs } });
  const isGone = (age: number) =>
    isUnpriced({
      quotes: [quote('first', { price: '1', blockId: 7, quotedAt: seen(age) })],
      now,
    });
  expect([50_000, 59_000, 61_000].map((age) => isStale({ at: seen(age), now }))).toEqual([
    false,
    false,
    true,
  ]);
  expect([UNPRICED_END_MS - MINUTE_MS, UNPRICED_END_MS].map(isGone)).toEqual([false, true]);
});

it('the time of a price is never after its fetch or after its slot', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.nat(20_000),
      fc.integer({ min: -5_000, max: 5_000 }),
      fc.integer({ min: 100, max: 1_000 }),
      (slot, blockId, drift, slotMs) => {
        const at = seenAt({ fetchedAt: NOW + drift, blockId, current: { slot, at: NOW, slotMs } });
        return at <= NOW + drift && at <= NOW + (blockId - slot) * slotMs;
      },
    ),
  );
});
