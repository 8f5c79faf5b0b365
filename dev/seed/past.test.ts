import { describe, expect, test } from 'vitest';
import {
  CLOSE_INTERVAL_MS,
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
  DAY_MS,
  HOUR_MS,
  MIN_RANKED_CALLS,
  MIN_RANKED_LIQUIDITY_USD,
  UNRANKED_REASONS,
} from '#schema/constants.ts';
import { createCast, type Member } from './cast.ts';
import { planBuys } from './plan-buys.ts';
import { planCalls, type PlannedCall } from './plan-calls.ts';
import { closeTimes, createCloses } from './plan-closes.ts';
import { planSubscriptions } from './plan-subscriptions.ts';

const now = Date.UTC(2026, 5, 1, 12, 34, 56);
const from = now - 85 * DAY_MS;
const cast = createCast({ from, now });
const { callers } = cast;
const calls = callers.flatMap((caller) => planCalls({ caller, from, now }));
const active = calls.filter(({ end }) => end === null);

const isRepeated = ({ callerId, token, calledAt }: PlannedCall) =>
  calls.some(
    (other) =>
      other.callerId === callerId &&
      other.token === token &&
      other.calledAt < calledAt &&
      other.calledAt > calledAt - DAY_MS,
  );

describe('createCloses', () => {
  test('spaces closing prices as the product does: the shortest interval when recent, then hourly, then daily', () => {
    const times = closeTimes({ from, to: now, now });
    const stepsBetween = (start: number, end: number) =>
      new Set(
        times.slice(1).flatMap((at, index) => (at > start && at <= end ? at - (times[index] ?? 0) : [])),
      );
    expect(stepsBetween(now - CLOSES_HOURLY_AFTER_MS + HOUR_MS, now)).toEqual(new Set([CLOSE_INTERVAL_MS]));
    expect(stepsBetween(now - CLOSES_DAILY_AFTER_MS + DAY_MS, now - CLOSES_HOURLY_AFTER_MS)).toEqual(
      new Set([HOUR_MS]),
    );
    expect(stepsBetween(from + DAY_MS, now - CLOSES_DAILY_AFTER_MS)).toEqual(new Set([DAY_MS]));
    expect(times.every((at) => at > from && at <= now && at % CLOSE_INTERVAL_MS === 0)).toBe(true);
  });

  test('returns fewer than 60,000 closing prices, without duplicates', () => {
    const closes = createCloses({ now });
    const rows = closes.ofCalls(calls);
    expect(rows.length).toBeLessThan(60_000);
    expect(new Set(rows.map(({ mint, at }) => `${mint} ${at}`)).size).toBe(rows.length);
  });

  test("finds a call's peak among its entry price, closing prices and end price", () => {
    const closes = createCloses({ now });
    const rows = Map.groupBy(closes.ofCalls(calls), ({ mint }) => mint);
    for (const call of active.slice(0, 20)) {
      const prices = (rows.get(call.token.mint) ?? [])
        .filter(({ at }) => at > call.calledAt)
        .map(({ price }) => Number(price));
      const peak = closes.peakOf(call);
      if (prices.length === 0) expect(peak).toBeNull();
      else expect(Number(peak?.price)).toBe(Math.max(Number(call.entryPrice), ...prices));
    }
    for (const call of calls) {
      const peak = closes.peakOf(call);
      if (call.end) expect(Number(peak?.price)).toBeGreaterThanOrEqual(Number(call.end.price));
      if (peak === null) continue;
      expect(Number(peak.price)).toBeGreaterThanOrEqual(Number(call.entryPrice));
      expect(peak.at === call.calledAt).toBe(peak.price === call.entryPrice);
    }
  });
});

describe('planCalls', () => {
  test('returns valid targets, stops and update times', () => {
    for (const { entryPrice, targetPrice, stopPrice, updates, calledAt, end } of calls) {
      if (targetPrice !== null) expect(Number(targetPrice)).toBeGreaterThan(Number(entryPrice));
      if (stopPrice !== null) expect(Number(stopPrice)).toBeLessThan(Number(entryPrice));
      for (const { at } of updates) expect(at >= calledAt && at <= (end?.at ?? now)).toBe(true);
    }
    expect(calls.filter(({ isPaidPromotion }) => isPaidPromotion).length).toBeGreaterThan(5);
  });

  test('marks calls as unranked for each reason of the rules and for no other reason', () => {
    for (const call of calls) {
      const { liquidityUsd, unrankedReason, sources } = call;
      if (sources.open === 1) expect(unrankedReason).toBe('one_source');
      else if (liquidityUsd === null) expect(unrankedReason).toBe('unknown_liquidity');
      else if (liquidityUsd < MIN_RANKED_LIQUIDITY_USD) expect(unrankedReason).toBe('thin_liquidity');
      else expect(unrankedReason).toBe(isRepeated(call) ? 'repeated_mint' : null);
    }
    expect(new Set(calls.map(({ unrankedReason }) => unrankedReason))).toEqual(
      new Set([null, ...UNRANKED_REASONS]),
    );
  });

  test('includes gains that count as 0%, but fewer than a tenth of all gains', () => {
    const gains = calls.filter(
      ({ end, unrankedReason }) => unrankedReason === null && end !== null && end.changePercent > 0,
    );
    const uncounted = gains.filter(({ uncountedGainReason }) => uncountedGainReason !== null);
    expect(uncounted.length).toBeGreaterThan(0);
    expect(uncounted.length).toBeLessThan(gains.length / 10);
  });

  test('gives most callers, but not all, enough ranked calls for a comparison', () => {
    const ranked = callers.map(
      ({ id }) =>
        calls.filter(({ callerId, end, unrankedReason }) => callerId === id && end && unrankedReason === null)
          .length,
    );
    const few = ranked.filter((count) => count < MIN_RANKED_CALLS);
    expect(few.length).toBeGreaterThan(2);
    expect(few.length).toBeLessThan(callers.length / 3);
  });

  test('returns at most one active call per caller and symbol', () => {
    expect(
      new Set(active.map(({ callerId, token }) => `${callerId} ${token.symbol.toLowerCase()}`)).size,
    ).toBe(active.length);
  });
});

test('planBuys returns buys in time order, for every caller with a payout wallet and calls', () => {
  const buys = planBuys({ callers, calls, now });
  const buyers = callers.filter(({ payout, endedCallCount }) => payout !== null && endedCallCount > 0);
  expect(new Set(buys.map(({ buyer }) => buyer.publicKey.toBase58()))).toEqual(
    new Set(buyers.map(({ payout }) => payout?.publicKey.toBase58())),
  );
  expect(buys.every(({ amount, lamports, at }) => amount > 0n && lamports > 0n && at <= now)).toBe(true);
  expect(buys.map(({ at }) => at)).toEqual(buys.map(({ at }) => at).toSorted((one, other) => one - other));
});

test('the sample people have their roles: amara_calls is Paid and verified, kenji_charts is Free, and tobi_drift follows a Free and a Paid caller', () => {
  const { payments, follows } = planSubscriptions({ cast, now });
  const find = (handle: string) => callers.find(({ person }) => person.handle === handle);
  const amara = find('amara_calls');
  const kenji = find('kenji_charts');
  const others = callers.filter(({ person }) => /amara/i.test(person.handle) && person !== amara?.person);
  expect([amara?.feeLamports, amara?.isVerified, kenji?.feeLamports]).toEqual([500_000_000n, true, 0n]);
  expect(others.filter(({ isVerified, feeLamports }) => isVerified && feeLamports > 0n)).toEqual([]);
  expect(payments.some(({ caller }) => caller.id === amara?.id)).toBe(true);
  const isTobi = ({ follower }: { follower: Member }) => follower.person.handle === 'tobi_drift';
  const paidByTobi = payments.filter((payment) => isTobi(payment) && payment.at > now - 30 * DAY_MS);
  expect(paidByTobi.map(({ caller }) => caller.person.handle)).toContain('FifteenLetters_');
  expect(follows.filter(isTobi).map(({ caller }) => caller.person.handle)).toContain('kenji_charts');
  for (const handle of ['amara_calls', 'kenji_charts', 'FifteenLetters_']) {
    expect(active.filter(({ callerId }) => callerId === find(handle)?.id).length).toBeGreaterThan(0);
  }
});
