import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FOLLOWER_FIGURES_CALLS, PROVEN_CALLS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { followerFigures, type RecordedResult } from './follower-figures.ts';
import { naiveFigures } from './follower-return.test-model.ts';

const NOW = 20_000 * DAY_MS;
/** Results in percent, newest first, each on another day and token. */
const resultsOf = (percents: readonly (number | null)[]): RecordedResult[] =>
  percents.map((percent, index) => {
    const ppm = percent === null ? null : percent * 10_000;
    const calledAt = NOW - index * DAY_MS;
    return { mint: `mint-${index}`, calledAt, endedAt: calledAt + HOUR_MS, ppm, solPpm: ppm, isLate: false };
  });
const STEADY = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 20 : 4));
const steady = resultsOf(STEADY);
const change = (index: number, changed: Partial<RecordedResult>) =>
  steady.map((each, place) => (place < index ? { ...each, ...changed } : each));

it('the Proven figure of twenty results equals a computation by hand', () => {
  const figures = followerFigures(steady, null);
  expect(figures).toMatchObject({ calls: 20, callsWithoutResult: 0, followerReturn: 12 });
  expect(figures).toMatchObject({ provenResults: 20, provenTokens: 20, provenBets: 21 });
  // Nothing is above the cap of 20%: ten results of 20, ten of 4 and one of -20, so m = 220 / 21 = 10.47619.
  // Squares: 10 × 9.52381² + 10 × 6.47619² + 30.47619² = 2,255.2381, se² = 21/20 × 2,255.2381 / 21² = 5.369615.
  // t = 2.085963, so the limit is 10.47619 - 2.085963 × 2.317243 = 5.642507. Lower caps have lower limits.
  expect(figures.proven).toBeCloseTo(5.642507, 6);
});

it.each<[string, readonly RecordedResult[], object]>([
  ['only nineteen results', steady.slice(1), { provenResults: 19 }],
  ['only nine tokens', change(12, { mint: 'mint-19' }), { provenTokens: 8 }],
  ['calls that were open together', change(20, { endedAt: NOW }), {}],
  ['no result', resultsOf([null, null]), { provenResults: 0, provenTokens: 0, provenBets: 1 }],
  ['no ended call', [], { provenResults: 0, provenTokens: 0, provenBets: 1 }],
])('a caller with %s has no Proven figure', (_, results, figures) => {
  expect(followerFigures(results, null)).toMatchObject({ ...figures, proven: null });
});

it('twenty calls on ten tokens that are open on the same days are one bet', () => {
  const together = steady.map((each, index) => ({
    ...each,
    mint: `mint-${index % 10}`,
    calledAt: NOW - 9 * DAY_MS,
    endedAt: NOW,
  }));
  expect(followerFigures(together, null)).toMatchObject({ provenTokens: 10, provenBets: 1, proven: null });
});

it('a gain counts only after all earlier calls have ended, and a loss counts at once', () => {
  const results = resultsOf([-10, ...STEADY]);
  expect(followerFigures(results, null)).toMatchObject({ provenResults: 21, calls: 21 });
  const openedBefore = NOW - 20.5 * DAY_MS;
  expect(followerFigures(results, openedBefore)).toMatchObject({ provenResults: 1, calls: 21, proven: null });
  expect(followerFigures(results, NOW - 4.5 * DAY_MS)).toMatchObject({ provenResults: 17 });
});

it('whether a result is a gain is decided in SOL', () => {
  const results = steady.map((each) => ({ ...each, ppm: 50_000, solPpm: -10_000 }));
  expect(followerFigures(results, 0)).toMatchObject({ provenResults: 20, followerReturn: 5 });
});

it('a gain that doesn’t count yet still takes a place among the newest results', () => {
  const results = resultsOf([...Array.from({ length: PROVEN_CALLS }, () => 5), -99]).map((each, index) => ({
    ...each,
    calledAt: NOW - index * HOUR_MS,
    endedAt: NOW - index * HOUR_MS,
  }));
  expect(followerFigures(results, 0)).toMatchObject({ calls: FOLLOWER_FIGURES_CALLS, provenResults: 0 });
  expect(followerFigures(results.slice(1), 0)).toMatchObject({ provenResults: 1 });
});

it('a result counts for 365 days before the newest one', () => {
  const aged = steady.map((each, index) =>
    index < 10 ? each : { ...each, endedAt: NOW + HOUR_MS - (355 + index) * DAY_MS },
  );
  expect(followerFigures(aged, null)).toMatchObject({ provenResults: 11, followerReturn: 12 });
});

it('a gain logged late counts as 0, and a loss logged late counts in full', () => {
  const late = resultsOf([30, ...STEADY]).map((each, index) => ({ ...each, isLate: index === 0 }));
  expect(followerFigures(late, null).proven).toBe(followerFigures(resultsOf([0, ...STEADY]), null).proven);
  const lost = resultsOf([-30, ...STEADY]);
  const lateLoss = lost.map((each, index) => ({ ...each, isLate: index === 0 }));
  expect(followerFigures(lateLoss, null)).toEqual(followerFigures(lost, null));
});

it.each<[string, (index: number) => Partial<RecordedResult>]>([
  ['of one lucky hour', (index) => ({ mint: `more-${index}`, calledAt: NOW, endedAt: NOW + index })],
  ['on one lucky token', (index) => ({ mint: 'more', calledAt: NOW - index * DAY_MS, endedAt: NOW })],
])('twenty winning calls %s do not raise the Proven figure of a losing caller above 0', (_, lucky) => {
  const flat = resultsOf(STEADY.map(() => -1.6));
  const won = resultsOf(STEADY.map(() => 30)).map((each, index) => ({ ...each, ...lucky(index) }));
  const { followerReturn, proven } = followerFigures([...won, ...flat], null);
  expect(followerReturn).toBe(14.2);
  expect(proven ?? 0).toBeLessThanOrEqual(0);
});

it('one more call of +200% on its own token and days never lowers Proven', () => {
  const percent = fc.integer({ min: -100, max: 200 });
  fc.assert(
    fc.property(fc.array(percent, { minLength: 20, maxLength: 60 }), (percents) => {
      const [great, ...others] = resultsOf([200, ...percents]) as [RecordedResult, ...RecordedResult[]];
      const before = followerFigures(others, null).proven ?? 0;
      expect(followerFigures([great, ...others], null).proven).toBeGreaterThanOrEqual(before);
    }),
    { numRuns: 500, seed: 42 },
  );
});

it('the follower figures of random records equal a computation from their definition', () => {
  const record = fc
    .record({
      mint: fc.integer({ min: 0, max: 30 }).map((number) => `mint-${number}`),
      endedAt: fc.integer({ min: NOW / HOUR_MS - 9_500, max: NOW / HOUR_MS }).map((hour) => hour * HOUR_MS),
      held: fc.integer({ min: 0, max: 31 * 24 }),
      ppm: fc.option(fc.integer({ min: -1_000_000, max: 2_000_000 }), { freq: 9 }),
      isLate: fc.boolean(),
    })
    .map(({ held, ...result }) => ({
      ...result,
      calledAt: result.endedAt - held * HOUR_MS,
      solPpm: result.ppm === null ? null : Math.max(-1_000_000, result.ppm - 30_000),
    }));
  const oldestOpenAt = fc.option(fc.integer({ min: NOW - 60 * DAY_MS, max: NOW }));
  const histories = fc
    .array(record, { maxLength: 530, size: 'max' })
    .map((records) => records.toSorted((one, other) => other.endedAt - one.endedAt));
  fc.assert(
    fc.property(histories, oldestOpenAt, (records, openAt) => {
      const { proven, ...exact } = followerFigures(records, openAt);
      const { proven: expected, ...others } = naiveFigures(records, openAt);
      expect(exact).toEqual(others);
      expect(proven === null).toBe(expected === null);
      expect(Math.abs((proven ?? 0) - (expected ?? 0))).toBeLessThanOrEqual(1e-9);
    }),
    { numRuns: 80, seed: 41 },
  );
});
