import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FOLLOWER_STAKES_USD } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { afterFee, copiedSums, type CopiedRecord, type CopiedSums } from './after-fee.ts';
import { afterFeeSentence, afterFeeText } from './after-fee-text.ts';

const NOW = 20_000 * DAY_MS;

const recordOf = (index: number, changed: Partial<CopiedRecord> = {}): CopiedRecord => {
  const calledAt = NOW - (index + 1) * DAY_MS;
  return {
    mint: `mint-${index}`,
    calledAt,
    endedAt: calledAt + HOUR_MS,
    ppm: 100_000,
    solPpm: 90_000,
    copied: { ppm: [110_000, 100_000, 50_000], sol: 10_000 },
    isLate: false,
    ...changed,
  };
};
const steady = Array.from({ length: 20 }, (_, index) => recordOf(index));
/** 60 days, in which each stake made 100%, 90% and 50% of itself, and SOL 20%. */
const sums: CopiedSums = {
  results: 40,
  days: 30,
  since: NOW - 60 * DAY_MS,
  mostAtOnce: 15,
  ppm: [1_000_000, 900_000, 500_000],
  sol: 200_000,
};
const fee = { feeSol: 0.2, solPrice: 150, now: NOW };

it('the results that count in Proven are added up at three stakes', () => {
  expect(copiedSums(steady, null)).toEqual({
    results: 20,
    days: 20,
    since: NOW - 20 * DAY_MS,
    mostAtOnce: 1,
    ppm: [2_200_000, 2_000_000, 1_000_000],
    sol: 200_000,
  });
});

it('a gain waits for the oldest open call with its whole row, and a loss does not', () => {
  const loss = recordOf(0, { solPpm: -20_000, copied: { ppm: [-10_000, -10_000, -10_000], sol: 10_000 } });
  const held = { calledAt: NOW - 30 * DAY_MS, endedAt: NOW };
  const waiting = copiedSums([recordOf(0, held), ...steady.slice(2)], NOW - 40 * DAY_MS);
  expect(waiting).toEqual(copiedSums([], null));
  expect(copiedSums([loss, ...steady.slice(1)], 0)).toMatchObject({
    results: 1,
    mostAtOnce: 1,
    ppm: [-10_000, -10_000, -10_000],
  });
});

it('a late gain counts as holding SOL, and a late loss in full', () => {
  const late = (copied: CopiedRecord['copied']) => copiedSums([recordOf(0, { isLate: true, copied })], null);
  expect(late({ ppm: [5_000, 4_000, -900_000], sol: -30_000 }).ppm).toEqual([-30_000, -30_000, -900_000]);
});

it('calls that are open together, also for a moment, are held at one time', () => {
  const day = (from: number, until: number) =>
    recordOf(0, { calledAt: NOW + from * DAY_MS, endedAt: NOW + until * DAY_MS });
  const most = (...records: CopiedRecord[]) => copiedSums(records, null).mostAtOnce;
  expect(most(day(3, 4), day(0, 3), day(1, 2))).toBe(2);
  expect(most(day(3, 4), day(0, 9), day(3, 5), day(1, 3))).toBe(4);
  expect(most(day(3, 3))).toBe(1);
});

it('a month’s gain after the fee, and the amount per call that covers it, are read from the sums', () => {
  const shown = afterFee(sums, fee);
  expect(shown).toMatchObject({ months: 2, feeUsd: 30, since: new Date(sums.since).toISOString() });
  expect(shown.stakes).toEqual([
    { stakeUsd: 100, gainUsd: 100, solUsd: 20, monthUsd: 20, monthSolUsd: 10, mostUsd: 1_500 },
    { stakeUsd: 1_000, gainUsd: 900, solUsd: 200, monthUsd: 420, monthSolUsd: 100, mostUsd: 15_000 },
    {
      stakeUsd: 10_000,
      gainUsd: 5_000,
      solUsd: 2_000,
      monthUsd: 2_470,
      monthSolUsd: 1_000,
      mostUsd: 150_000,
    },
  ]);
  expect(shown.paysFromUsd).toBe(60);
  // 300 USD are a quarter of the way from 100 USD with 100 to 1,000 with 900.
  expect(afterFee(sums, { ...fee, feeSol: 1 }).paysFromUsd).toBe(325);
  expect(afterFee(sums, { ...fee, feeSol: 17 }).paysFromUsd).toBeNull();
});

it('in the first 30 days, the sum counts as one month', () => {
  expect(afterFee({ ...sums, since: NOW - DAY_MS }, fee)).toMatchObject({ months: 1 });
});

it.each<[string, Partial<CopiedSums>, { feeSol?: number; solPrice?: number | null }]>([
  [
    '+$20 a month after the fee, with $100 per call. Holding SOL: +$10. Up to $1,500 at once. Pays for itself from about $60 per call.',
    {},
    {},
  ],
  [
    '-$31 a month after the fee, with $100 per call. Holding SOL: +$10. Up to $1,500 at once. Pays for itself from about $170 per call.',
    {},
    { feeSol: 0.5, solPrice: 161 },
  ],
  [
    '-$80 a month after the fee, with $100 per call. Holding SOL: -$1. Up to $100 at once. Pays for itself at no amount up to $10,000.',
    { ppm: [-1e6, -2e6, -5e6], sol: -20_000, mostAtOnce: 1 },
    {},
  ],
  [
    '+$50 a month, with $100 per call. Holding SOL: +$10. Up to $1,500 at once.',
    {},
    { feeSol: 0, solPrice: null },
  ],
  ['After the fee: too early to say, 19 of 20 results so far.', { results: 19 }, {}],
  ['After the fee: too early to say, 9 of 10 days with calls so far.', { days: 9 }, { solPrice: null }],
  ['After the fee: unknown right now, because SOL’s price is missing.', {}, { solPrice: null }],
])('says “%s”', (text, changed, terms) => {
  expect(afterFeeSentence(afterFee({ ...sums, ...changed }, { ...fee, ...terms }))).toBe(text);
});

it.each([
  [1, 'Pays for itself from about $1 per call.'],
  [1.2, 'Pays for itself from about $2 per call.'],
  [60, 'Pays for itself from about $60 per call.'],
  [124.4, 'Pays for itself from about $130 per call.'],
  [1_201, 'Pays for itself from about $1,300 per call.'],
])('rounds the break-even %d up, so that it pays there', (paysFromUsd, text) => {
  expect(afterFeeText({ ...afterFee(sums, fee), paysFromUsd }).breakEven).toBe(text);
});

it('says where a caller who pays with less does not pay anymore, because large amounts move the price', () => {
  const figures = afterFee({ ...sums, ppm: [1e6, 9e5, -1e5] }, fee);
  expect(afterFeeText(figures, 1_000).breakEven).toBe('Pays for itself from about $60 per call.');
  expect(afterFeeText(figures, 10_000).breakEven).toBe(
    'Pays for itself from about $60 per call, but not with $10,000.',
  );
});

it('says what a month with another stake made', () => {
  expect(afterFeeText(afterFee(sums, fee), 1_000)).toMatchObject({
    headline: expect.stringMatching(/^\+\$[\d,]+ a month after the fee$/),
    details: 'with $1,000 per call. Holding SOL: +$100. Up to $15,000 at once.',
  });
});

it('a subscription with the amount that covers the fee leaves nothing, and no smaller amount covers it', () => {
  const ppm = fc.array(fc.integer({ min: -5_000_000, max: 50_000_000 }), { minLength: 3, maxLength: 3 });
  const gainAt = (gains: readonly number[], stakeUsd: number) => {
    const points = [[0, 0], ...FOLLOWER_STAKES_USD.map((each, index) => [each, gains[index] ?? 0])] as const;
    const next = points.findIndex(([each = 0]) => each >= stakeUsd);
    const [[from = 0, start = 0] = [], [until = 0, end = 0] = []] = [points[next - 1], points[next]];
    return start + ((end - start) * (stakeUsd - from)) / (until - from);
  };
  fc.assert(
    fc.property(ppm, fc.double({ min: 0.01, max: 50, noNaN: true }), (parts, feeSol) => {
      const { paysFromUsd, stakes, feeUsd, months } = afterFee({ ...sums, ppm: parts }, { ...fee, feeSol });
      const gains = stakes.map(({ gainUsd }) => gainUsd / months);
      const covers = (stakeUsd: number) => gainAt(gains, stakeUsd) >= (feeUsd ?? 0) * (1 + 1e-9);
      const smaller = Array.from({ length: 50 }, (_, part) => ((paysFromUsd ?? 10_000) * (part + 1)) / 51);
      expect(smaller.filter(covers)).toEqual([]);
      if (paysFromUsd !== null) expect(gainAt(gains, paysFromUsd)).toBeCloseTo(feeUsd ?? 0, 6);
      expect(paysFromUsd === null).toBe(Math.max(...gains) < (feeUsd ?? 0));
    }),
    { numRuns: 1_000, seed: 44 },
  );
});

it('one more gain never lowers a sum, and an open call never raises a gain beyond SOL', () => {
  const record = fc.record({
    place: fc.integer({ min: 1, max: 300 }),
    held: fc.integer({ min: 1, max: 30 }),
    ppm: fc.integer({ min: -1_000_000, max: 2_000_000 }),
    sol: fc.integer({ min: -100_000, max: 100_000 }),
  });
  const histories = fc.array(record, { maxLength: 60 }).map((records) =>
    records
      .map(({ place, held, ppm, sol }) => {
        const times = { calledAt: NOW - (place + held) * DAY_MS, endedAt: NOW - place * DAY_MS };
        return recordOf(place, { ...times, ppm, solPpm: ppm - sol, copied: { ppm: [ppm, ppm, ppm], sol } });
      })
      .toSorted((one, other) => other.endedAt - one.endedAt),
  );
  const beyond = ({ ppm, sol }: CopiedSums) => (ppm[1] ?? 0) - sol;
  fc.assert(
    fc.property(histories, fc.integer({ min: NOW - 400 * DAY_MS, max: NOW }), (records, openAt) => {
      const all = copiedSums(records, null);
      const more = copiedSums([recordOf(0, { endedAt: NOW }), ...records], null);
      expect(more.ppm.every((ppm, stake) => ppm >= (all.ppm[stake] ?? 0))).toBe(true);
      expect(beyond(copiedSums(records, openAt))).toBeLessThanOrEqual(beyond(all));
    }),
    { numRuns: 300, seed: 45 },
  );
});
