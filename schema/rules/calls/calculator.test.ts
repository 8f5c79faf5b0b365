import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { naiveCalculation, sold } from './calculator.test-model.ts';
import { calculate, type CalculatorInput, type CopiedCall, type CopiedCaller } from './calculator.ts';
import { changePercent } from './change-percent.ts';
import type { Mark } from './follower-return.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const DEEP = 1e12;

type TokenMark = Omit<Mark, 'solPriceUsd'>;

interface Made {
  readonly solAtOpen: string | null;
  readonly solAtEnd: string | null;
  readonly open: TokenMark | null;
  readonly end: TokenMark | null;
  readonly countedChange: number;
}

function call(from: number, to: number, endPrice: string, more: Partial<Made> = {}): CopiedCall {
  const made: Made = {
    solAtOpen: '100',
    solAtEnd: '100',
    open: { price: '1', liquidityUsd: DEEP },
    end: { price: endPrice, liquidityUsd: DEEP },
    countedChange: changePercent('1', endPrice),
    ...more,
  };
  const markOf = (mark: TokenMark | null, solPriceUsd: string | null) => mark && { ...mark, solPriceUsd };
  return {
    id: `${from}`,
    tokenSymbol: 'JUP',
    callTimestamp: new Date(START + from).toISOString(),
    endTimestamp: new Date(START + to).toISOString(),
    endPrice,
    changePercent: changePercent('1', endPrice),
    countedChange: made.countedChange,
    open: markOf(made.open, made.solAtOpen),
    end: markOf(made.end, made.solAtEnd),
  };
}

const input = (
  calls: CopiedCall[],
  { fees = [], ...more }: Partial<CalculatorInput & Pick<CopiedCaller, 'fees'>> = {},
): CalculatorInput => ({
  callers: [{ fees, calls }],
  stakeUsd: 100,
  since: START,
  until: START + 10 * DAY_MS,
  ...more,
});

const always = (monthlyFee: string | null) => [{ monthlyFee, until: null }];

it('the calculator returns the figures of three calls, two of which overlap', () => {
  const calls = [
    call(0, DAY_MS, '1.5'),
    call(HOUR_MS, 2 * DAY_MS, '0.5'),
    call(5 * DAY_MS, 7 * DAY_MS, '1.2'),
  ];
  // 0.3% of the purchase and 0.3% of the sale: 0.997² × 1.5 = 1.491013.
  expect(calculate(input(calls))).toEqual({
    calls: 3,
    callsWithoutResult: 0,
    gainUsd: 18.0828,
    feesUsd: 0,
    netUsd: 18.0828,
    solUsd: 0,
    neededUsd: 200,
    largestDropUsd: 50.2996,
    mostAtOnce: 2,
    investedShare: 0.4,
    points: [
      { at: START + DAY_MS + MINUTE_MS, netUsd: 49.1013, solUsd: 0 },
      { at: START + 2 * DAY_MS + MINUTE_MS, netUsd: -1.1983, solUsd: 0 },
      { at: START + 7 * DAY_MS + MINUTE_MS, netUsd: 18.0828, solUsd: 0 },
    ],
  });
});

it('a fee is converted at the SOL price of the first call end in its period, or else of the last call end before it', () => {
  const calls = [
    call(-2 * DAY_MS, 3 * DAY_MS, '1', { solAtOpen: '90', solAtEnd: '110' }),
    call(31 * DAY_MS, 32 * DAY_MS, '1', { solAtOpen: '120', solAtEnd: '130' }),
  ];
  const result = calculate(input(calls, { fees: always('0.5'), until: START + 61 * DAY_MS }));
  expect(result.feesUsd).toBe(0.5 * 110 + 0.5 * 130 + 0.5 * 130);
  // The first call was made before the start, and the second one cost 0.6% of 100 USD.
  expect(result).toMatchObject({ calls: 1, gainUsd: -0.5991, netUsd: -185.5991, neededUsd: 220 });
});

it('a fee without an earlier SOL price is converted at the first later SOL price, and a Free caller costs nothing', () => {
  const calls = [call(40 * DAY_MS, 41 * DAY_MS, '1')];
  expect(calculate(input(calls, { fees: always(null) })).feesUsd).toBe(0);
  expect(calculate(input(calls, { fees: always('2') })).feesUsd).toBe(200);
  expect(calculate(input([], { fees: always('2') })).feesUsd).toBe(0);
});

it('the calculator charges the fee that was in force at the start of each period', () => {
  const until = (days: number) => new Date(START + days * DAY_MS).toISOString();
  const fees = [
    { monthlyFee: null, until: until(0) },
    { monthlyFee: '1', until: until(30) },
    { monthlyFee: '3', until: until(31) },
    { monthlyFee: '0.01', until: null },
  ];
  const calls = [call(0, DAY_MS, '1')];
  const span = { fees, since: START - 30 * DAY_MS, until: START + 61 * DAY_MS };
  // Free, 1 SOL, 3 SOL, and then the present fee twice.
  expect(calculate(input(calls, span)).points.map(({ netUsd }) => netUsd)).toEqual([
    -100, -100.5991, -400.5991, -401.5991,
  ]);
});

it('the gain from holding SOL instead of the calls leaves out calls without a SOL price', () => {
  const calls = [call(0, DAY_MS, '1', { solAtEnd: '81' }), call(0, DAY_MS, '1', { solAtEnd: null })];
  expect(calculate(input(calls)).solUsd).toBe(-19);
});

it('a call without a result is counted only in callsWithoutResult', () => {
  const result = calculate(input([call(0, DAY_MS, '2', { end: null })]));
  expect(result).toMatchObject({
    calls: 0,
    callsWithoutResult: 1,
    neededUsd: 0,
    investedShare: 0,
    points: [],
  });
});

it('later calls and fees don’t change the earlier points of the calculator’s chart', () => {
  const isEarly = ({ at }: { at: number }) => at < START + 50 * DAY_MS;
  fc.assert(
    fc.property(fc.array(anyCall, { minLength: 20, maxLength: 40 }), (calls) => {
      const early = calls.filter((each) => isEarly({ at: sold(each) }));
      const until = START + 100 * DAY_MS;
      const [before, after] = [early, calls].map((some) =>
        calculate(input(some, { fees: always('0.3'), until })),
      );
      // Without an earlier price of SOL, a fee takes the first later one, which would change earlier points.
      fc.pre(early.some((each) => each.end?.solPriceUsd && sold(each) < START + 30 * DAY_MS));
      fc.pre(early.some((each) => each.end?.solPriceUsd && sold(each) >= START + 30 * DAY_MS));
      expect(after?.points.filter(isEarly)).toEqual(before?.points.filter(isEarly));
    }),
  );
});

it('the calculator agrees with a naive recomputation of 3,000 random histories', () => {
  fc.assert(
    fc.property(anyQuestion, (question) => {
      expect(calculate(question)).toEqual(naiveCalculation(question));
    }),
    { numRuns: 3_000 },
  );
});

const anySolPrice = fc.option(fc.integer({ min: 50, max: 200 }).map(String));
const anyMark = fc.oneof(
  fc.record({
    price: fc.constantFrom('0.2', '1', '1.32', '9.6'),
    liquidityUsd: fc.oneof(fc.integer({ min: 1_000, max: 10_000_000 }), fc.constantFrom(0, null, 50_000)),
  }),
  fc.constantFrom<TokenMark | null>({ price: null, liquidityUsd: null }, null),
);
const anyCall = fc
  .record({
    from: fc.integer({ min: 0, max: 60 * DAY_MS }),
    length: fc.integer({ min: MINUTE_MS, max: 20 * DAY_MS }),
    endPrice: fc.constantFrom('0', '0.2', '0.95', '1', '1.3', '9.5'),
    isUncounted: fc.boolean(),
    marks: fc.record({ open: anyMark, end: anyMark, solAtOpen: anySolPrice, solAtEnd: anySolPrice }),
  })
  .map(({ from, length, endPrice, isUncounted, marks }) => {
    const change = changePercent('1', endPrice);
    const countedChange = isUncounted ? Math.min(0, change) : change;
    return call(from, from + length, endPrice, { ...marks, countedChange });
  });
const anyFee = fc.constantFrom(null, '0.1', '0.5', '2.25');
const anyFees = fc
  .tuple(fc.uniqueArray(fc.integer({ min: -10, max: 100 }), { maxLength: 5 }), fc.infiniteStream(anyFee))
  .map(([days, fees]) => [
    ...days
      .toSorted((one, other) => one - other)
      .map((day) => ({ monthlyFee: fees.next().value, until: new Date(START + day * DAY_MS).toISOString() })),
    { monthlyFee: fees.next().value, until: null },
  ]);
const anyQuestion = fc
  .record({
    callers: fc.array(
      fc.record({
        fees: anyFees,
        calls: fc.array(anyCall, { maxLength: 15, size: 'max' }),
      }),
      { maxLength: 3 },
    ),
    since: fc.integer({ min: -10, max: 20 }).map((day) => START + day * DAY_MS),
    length: fc.integer({ min: 0, max: 90 * DAY_MS }),
    stakeUsd: fc.constantFrom(1, 10, 100, 2_500, 100_000),
  })
  .map(({ length, ...question }) => ({ ...question, until: question.since + length }));
