import { expect, test } from 'vitest';
import { LOG_ANCHOR_MS } from '#schema/constants/log.ts';
import { MARK_DELAY_MS, MARK_WINDOW_MS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { contradictingLevel } from '#schema/rules/calls/price-levels.ts';
import { createFixtures, type Member } from './fixtures.ts';
import { planBuys } from './plan-buys.ts';
import { planCalls } from './plan-calls.ts';
import { planPaperFollows, planSubscriptions } from './plan-subscriptions.ts';
import { planTicks } from './plan-ticks.ts';

const now = Date.UTC(2026, 5, 1, 12, 34, 56);
const from = now - 85 * DAY_MS;
const fixtures = createFixtures({ from, now });
const { callers } = fixtures;
const calls = callers.flatMap((caller) => planCalls({ caller, from, now }));
const active = calls.filter(({ endedAt }) => endedAt === null);

test('each planned call has a valid target and stop price, and its updates are between its opening and end', () => {
  for (const { seenPrice, targetPrice, stopPrice, updates, calledAt, endedAt } of calls) {
    expect(contradictingLevel({ targetPrice, stopPrice }, seenPrice)).toBeNull();
    for (const { at } of updates) expect(at >= calledAt && at <= (endedAt ?? now)).toBe(true);
  }
  expect(calls.filter(({ isPaidPromotion }) => isPaidPromotion).length).toBeGreaterThan(5);
});

test('planCalls never plans two overlapping calls of a caller on the same symbol', () => {
  for (const caller of callers) {
    const own = calls.filter((call) => call.caller === caller);
    for (const call of own) {
      const symbol = call.token.symbol.toLowerCase();
      const overlapping = own.filter(
        (other) =>
          other.token.symbol.toLowerCase() === symbol &&
          other.calledAt <= call.calledAt &&
          (other.endedAt ?? now) >= call.calledAt,
      );
      expect(overlapping).toEqual([call]);
    }
  }
});

test('planCalls plans a few calls on a mint that the caller also called less than a day before', () => {
  const repeats = calls.filter(({ caller, token, calledAt }) =>
    calls.some(
      (other) =>
        other.caller === caller &&
        other.token === token &&
        other.calledAt < calledAt &&
        other.calledAt > calledAt - DAY_MS,
    ),
  );
  expect(repeats.length).toBeGreaterThan(2);
  expect(repeats.length).toBeLessThan(calls.length / 20);
});

test('planBuys returns purchases in time order, for every caller with a payout wallet and calls', () => {
  const buys = planBuys({ callers, calls, now });
  const buyers = callers.filter(({ payout, endedCallCount }) => payout !== null && endedCallCount > 0);
  expect(new Set(buys.map(({ buyer }) => buyer.publicKey.toBase58()))).toEqual(
    new Set(buyers.map(({ payout }) => payout?.publicKey.toBase58())),
  );
  expect(buys.every(({ amount, lamports, at }) => amount > 0n && lamports > 0n && at <= now)).toBe(true);
  expect(buys.map(({ at }) => at)).toEqual(buys.map(({ at }) => at).toSorted((one, other) => one - other));
});

test('planTicks schedules marks, log entries and anchors in time for every call', () => {
  const ticks = planTicks({ callers, calls, from, now });
  const runs = (kind: 'log' | 'anchor' | 'marks') =>
    ticks.filter(({ jobs }) => jobs === 'all' || jobs.has(kind)).map(({ at }) => at);
  const [marked, logged, anchored] = [runs('marks'), runs('log'), runs('anchor')];
  const isBetween = (times: readonly number[], start: number, end: number) =>
    end >= now || times.some((at) => at >= start && at <= end);
  for (const { joinedAt } of callers) {
    expect(isBetween(logged, joinedAt, joinedAt + 2 * MINUTE_MS)).toBe(true);
  }
  for (const { calledAt, endedAt } of calls) {
    for (const at of endedAt === null ? [calledAt] : [calledAt, endedAt]) {
      expect(isBetween(logged, at, at + 2 * MINUTE_MS)).toBe(true);
      const checkpointAt = logged.find((time) => time > at) ?? now;
      expect(isBetween(anchored, checkpointAt + MINUTE_MS, at + 2 * LOG_ANCHOR_MS)).toBe(true);
      const dueAt = at + MARK_DELAY_MS;
      expect(isBetween(marked, dueAt, dueAt + MARK_WINDOW_MS)).toBe(true);
    }
  }
  for (let hour = Math.floor(now / HOUR_MS); hour > (now - DAY_MS) / HOUR_MS; hour -= 1) {
    expect(anchored).toContain(hour * HOUR_MS);
  }
  expect(ticks.every(({ at }) => at % MINUTE_MS === 0 && at < now)).toBe(true);
  expect(ticks.filter(({ jobs, at }) => jobs === 'all' && at % HOUR_MS === 0).length).toBe(85 * 2);
});

test('amara_calls, kenji_charts and tobi_drift have their roles in the sample data', () => {
  const { payments, follows } = planSubscriptions({ fixtures, now });
  const find = (handle: string) => callers.find(({ person }) => person.handle === handle);
  const amara = find('amara_calls');
  const kenji = find('kenji_charts');
  const others = callers.filter(({ person }) => /amara/i.test(person.handle) && person !== amara?.person);
  expect([amara?.feeLamports, amara?.isVerified, kenji?.feeLamports]).toEqual([500_000_000n, true, 0n]);
  expect(others.filter(({ isVerified, feeLamports }) => isVerified && feeLamports > 0n)).toEqual([]);
  expect(payments.some(({ caller }) => caller.index === amara?.index)).toBe(true);
  const isTobi = ({ follower }: { follower: Member }) => follower.person.handle === 'tobi_drift';
  const paidByTobi = payments.filter((payment) => isTobi(payment) && payment.at > now - 30 * DAY_MS);
  expect(paidByTobi.map(({ caller }) => caller.person.handle)).toContain('FifteenLetters_');
  expect(planPaperFollows(fixtures).map(({ amountUsd }) => amountUsd)).toEqual([100, 250, null]);
  expect(follows.filter(isTobi).map(({ caller }) => caller.person.handle)).toContain('kenji_charts');
  for (const handle of ['amara_calls', 'kenji_charts', 'FifteenLetters_']) {
    expect(active.filter(({ caller }) => caller === find(handle)).length).toBeGreaterThan(0);
  }
});
