import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { readPrice } from '#schema/rules/prices/prices.ts';
import { hashText, pickFrom, hashToUnit } from '../stand-ins/market/noise.ts';
import { tokens, type MarketToken } from '../stand-ins/market/tokens.ts';
import { priceAt } from '../stand-ins/market/walk.ts';
import { firstBusyTime, lastBusyTime } from './busy-times.ts';
import { updatesFor, textsFor } from './call-texts.ts';
import type { SeededCaller } from './fixtures.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Before the history ends, so that each act is anchored in it. */
const ANCHORED_MS = HOUR / 4;

/** A token and the times at which a caller opens, updates and ends a call (unix ms). The product decides everything else. */
export interface PlannedCall {
  readonly caller: SeededCaller;
  readonly token: MarketToken;
  readonly calledAt: number;
  /** The price that the caller sees before the call. */
  readonly seenPrice: string;
  readonly thesis: string | null;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly isPaidPromotion: boolean;
  /** No source knows the token's liquidity when the call opens and ends. */
  readonly isLiquidityUnknown: boolean;
  /** DexScreener is down when the call opens, or when it ends. */
  readonly isOneSourceDown: { readonly open: boolean; readonly end: boolean };
  readonly updates: readonly { readonly message: string; readonly at: number }[];
  /** Null while the call is active. */
  readonly endedAt: number | null;
}

/** Real tokens whose price changes enough for a call. */
export const callable = tokens.filter(
  (token) => token.isReal && token.anchorPrice !== null && token.volatility > 0.4,
);
/** Made-up tokens with too little liquidity or volume, or a young pool. Calls on them are unranked. */
const MICRO_CAPS = new Set(['THIN', 'BONK', 'W1F', 'QUIET', 'FRESH']);
const thin = tokens.filter(({ symbol, isReal }) => !isReal && MICRO_CAPS.has(symbol));
const stable = tokens.filter(({ volatility }) => volatility === 0);
const STABLE_SHARE = 0.01;
const THIN_ACTIVE_SHARE = 0.1;
const REPEATING_SHARE = 0.2;
const CANDIDATES = 6;
const UNKNOWN_LIQUIDITY_SHARE = 0.01;
/** Probability that one of the price sources was down. */
const ONE_SOURCE_SHARE = 0.02;

interface PlanCallsOptions {
  readonly caller: SeededCaller;
  readonly from: number;
  readonly now: number;
}

/** Plans a caller's calls, oldest first. A caller has at most one active call per symbol at any time. */
export function planCalls({ caller, from, now }: PlanCallsOptions): PlannedCall[] {
  const start = Math.max(from, caller.joinedAt + HOUR);
  const plan = (count: number, planOne: (number: number) => PlannedCall | null) =>
    Array.from({ length: count }, (_, number) => planOne(number)).flatMap((call) => call ?? []);
  const active = plan(caller.activeCallCount, (number) => planActive(caller, number, now));
  const ended = plan(caller.endedCallCount, (number) => planEnded({ caller, number, start, now }));
  return withoutOverlaps([...active, ...ended, ...ended.flatMap((call) => planRepeat(call, now))]).toSorted(
    (one, other) => one.calledAt - other.calledAt,
  );
}

/** Some callers call a token again soon after its call has ended, so it's unranked if that call was short. */
function planRepeat(call: PlannedCall, now: number): PlannedCall[] {
  const { caller, token, endedAt } = call;
  if (endedAt === null || endedAt - call.calledAt > DAY / 2) return [];
  const key = `repeat ${call.calledAt}`;
  const repeatedAt = firstBusyTime(endedAt + HOUR, key);
  const repeatEndedAt = firstBusyTime(repeatedAt + 2 * HOUR, `${key} ends`);
  if (repeatEndedAt > now - HOUR || hashToUnit(`${caller.index} repeats`) > REPEATING_SHARE) return [];
  const repeat = planCall({ caller, key, token, calledAt: repeatedAt, endedAt: repeatEndedAt, now });
  return repeat === null ? [] : [repeat];
}

/** Leaves out a call that would be open at the same time as an earlier one in the list with the same symbol. */
function withoutOverlaps(calls: readonly PlannedCall[]): PlannedCall[] {
  const included: PlannedCall[] = [];
  for (const call of calls) {
    const overlaps = included.some(
      (other) =>
        other.token.symbol.toLowerCase() === call.token.symbol.toLowerCase() &&
        other.calledAt <= (call.endedAt ?? Infinity) &&
        call.calledAt <= (other.endedAt ?? Infinity),
    );
    if (!overlaps) included.push(call);
  }
  return included;
}

interface PlanEndedOptions {
  caller: SeededCaller;
  number: number;
  start: number;
  now: number;
}

/** Plans several calls, and takes a better one the more skilled the caller is. */
function planEnded({ caller, number, start, now }: PlanEndedOptions): PlannedCall | null {
  const candidates = Array.from({ length: CANDIDATES }, (_, attempt) => {
    const key = `${caller.index} ${number} ${attempt}`;
    const token = endedTokenFor(caller, `${caller.index} ended ${number}`, key);
    const held = 2 * HOUR + hashToUnit(`held ${key}`) ** 2 * caller.longestHoldDays * DAY;
    const calledAt = firstBusyTime(start + hashToUnit(`at ${key}`) * (now - HOUR - held - start), key);
    const endedAt = firstBusyTime(calledAt + held, `${key} ends`);
    const isInHistory = calledAt >= start && endedAt <= now - HOUR;
    const call = isInHistory
      ? planCall({ caller, key: `ended ${number}`, token, calledAt, endedAt, now })
      : null;
    const endPrice = readPrice(priceAt(token.mint, endedAt));
    return call === null || endPrice === null
      ? []
      : { call, change: changePercent(call.seenPrice, endPrice) };
  }).flat();
  const bySuccess = candidates.toSorted((one, other) => one.change - other.change);
  const luck = (caller.skill * 3 + hashToUnit(`luck ${caller.index} ${number}`)) / 4;
  return bySuccess[Math.min(bySuccess.length - 1, Math.floor(luck * bySuccess.length))]?.call ?? null;
}

function planActive(caller: SeededCaller, number: number, now: number): PlannedCall | null {
  const key = `open ${caller.index} ${number}`;
  const calledAt = lastBusyTime(now - ANCHORED_MS - hashToUnit(key) * 5 * DAY, key);
  // The tokens are neighbours in the list of tokens, so that a caller's tokens don't repeat.
  const token =
    (number === 0 && isThin(`${caller.index} active`, THIN_ACTIVE_SHARE) ? thin[0] : undefined) ??
    tokenFor(hashText(`active token ${caller.index}`) + number);
  return planCall({ caller, key: `active ${number}`, token, calledAt, endedAt: null, now });
}

interface PlanCallOptions extends Pick<PlannedCall, 'caller' | 'token' | 'calledAt' | 'endedAt'> {
  /** Unique among the caller's calls. Its hash decides the random choices. */
  readonly key: string;
  readonly now: number;
}

function planCall({ caller, key, token, calledAt, endedAt, now }: PlanCallOptions): PlannedCall | null {
  const seenPrice = readPrice(priceAt(token.mint, calledAt));
  if (seenPrice === null) return null;
  const callKey = `${caller.index} ${key}`;
  const { thesis, target, stop, isPaidPromotion } = textsFor(callKey, token, Number(seenPrice));
  const isDown = (side: string) => hashToUnit(`one source ${side} ${callKey}`) < ONE_SOURCE_SHARE;
  return {
    caller,
    token,
    calledAt,
    seenPrice,
    thesis,
    targetPrice: readPrice(target),
    stopPrice: readPrice(stop),
    isPaidPromotion,
    isLiquidityUnknown: hashToUnit(`unknown liquidity ${callKey}`) < UNKNOWN_LIQUIDITY_SHARE,
    isOneSourceDown: { open: isDown('open'), end: isDown('end') },
    updates: updatesFor(callKey, {
      from: calledAt,
      to: endedAt ?? now - ANCHORED_MS,
      priceAt: (at) => priceAt(token.mint, at) ?? Number(seenPrice),
      entry: Number(seenPrice),
      target,
      stop,
    }),
    endedAt,
  };
}

function isThin(key: string, share: number): boolean {
  return hashToUnit(`is thin ${key}`) < share;
}

function endedTokenFor({ microCapShare }: SeededCaller, callKey: string, key: string): MarketToken {
  if (isThin(callKey, microCapShare)) return pickFrom(thin, `thin ${key}`);
  if (hashToUnit(`is stable ${callKey}`) < STABLE_SHARE) return pickFrom(stable, `stable ${key}`);
  return tokenFor(hashText(`token ${key}`));
}

function tokenFor(number: number): MarketToken {
  const token = callable[number % callable.length];
  if (!token) throw new Error('The local market has no tokens');
  return token;
}
