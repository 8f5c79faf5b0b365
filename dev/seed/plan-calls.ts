import { MIN_RANKED_LIQUIDITY_USD, REPEATED_MINT_MS } from '#schema/constants.ts';
import type { UncountedGainReason, UnrankedReason } from '#schema/contracts/calls.ts';
import { changePercent } from '#schema/rules/change-percent.ts';
import { readPrice } from '#schema/rules/prices.ts';
import { uncountedGainReason, unrankedReason } from '#schema/rules/ranking.ts';
import { hashText, pickFrom, unitFrom } from '../market/noise.ts';
import { tokens, type MarketToken } from '../market/tokens.ts';
import { priceAt } from '../market/walk.ts';
import { updatesFor, textsFor } from './call-texts.ts';
import { uuidFrom, type SeededCaller } from './cast.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A past call at market prices. Prices are plain decimals, times unix ms. */
export interface PlannedCall {
  readonly id: string;
  readonly callerId: string;
  readonly token: MarketToken;
  readonly calledAt: number;
  readonly entryPrice: string;
  readonly thesis: string | null;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly isPaidPromotion: boolean;
  /** The liquidity that the price sources reported; null if no source did. */
  readonly liquidityUsd: number | null;
  readonly unrankedReason: UnrankedReason | null;
  readonly uncountedGainReason: UncountedGainReason | null;
  /** Number of price sources that had a price, up to 2. */
  readonly sources: { readonly open: 1 | 2; readonly end: 1 | 2 };
  readonly updates: readonly { readonly message: string; readonly at: number }[];
  readonly end: { readonly at: number; readonly price: string; readonly changePercent: number } | null;
}

/** Real tokens whose price changes enough for a call. */
export const callable = tokens.filter(
  (token) => token.isReal && token.anchorPrice !== null && token.volatility > 0.4,
);
/**
 * Tokens with so little liquidity that a few hundred dollars move the price. Calls on them are unranked.
 */
const thin = tokens.filter(
  (token) => token.anchorPrice !== null && token.liquidityUsd < MIN_RANKED_LIQUIDITY_USD,
);
const THIN_SHARE = 0.04;
const THIN_ACTIVE_SHARE = 0.1;
const UNKNOWN_LIQUIDITY_SHARE = 0.01;
/** Probability that one of the price sources was down. */
const ONE_SOURCE_SHARE = 0.02;

export function planCalls({
  caller,
  from,
  now,
}: {
  caller: SeededCaller;
  from: number;
  now: number;
}): PlannedCall[] {
  const start = Math.max(from, caller.joinedAt);
  const ended = Array.from({ length: caller.endedCallCount }, (_, number) =>
    planEnded({ caller, number, start, now }),
  ).flatMap((call) => call ?? []);
  const active = Array.from({ length: caller.activeCallCount }, (_, number) =>
    planActive({ caller, number, now }),
  ).flatMap((call) => call ?? []);
  return markRepeatedMints([...ended, ...active]);
}

/** Marks a call as unranked if its caller called the same mint within the day before. */
function markRepeatedMints(calls: readonly PlannedCall[]): PlannedCall[] {
  return calls.map((call) => {
    const isRepeated = calls.some(
      ({ token, calledAt }) =>
        token === call.token && calledAt < call.calledAt && calledAt > call.calledAt - REPEATED_MINT_MS,
    );
    if (!isRepeated || call.unrankedReason !== null) return call;
    return { ...call, unrankedReason: 'repeated_mint', uncountedGainReason: null };
  });
}

interface PlanEndedOptions {
  caller: SeededCaller;
  number: number;
  start: number;
  now: number;
}

function planEnded({ caller, number, start, now }: PlanEndedOptions): PlannedCall | null {
  const candidates = Array.from({ length: 4 }, (_, attempt) => {
    const key = `${caller.index} ${number} ${attempt}`;
    const token = isThin(`${caller.index} ended ${number}`)
      ? pickFrom(thin, `thin ${key}`)
      : tokenFor(hashText(`token ${key}`));
    const held = 2 * HOUR + unitFrom(`held ${key}`) ** 2 * 16 * DAY;
    const calledAt = Math.floor(start + unitFrom(`at ${key}`) * (now - HOUR - held - start));
    return calledAt < start
      ? null
      : makeCall({
          caller,
          key: `ended ${number}`,
          token,
          calledAt,
          endAt: Math.floor(calledAt + held),
          now,
        });
  }).flatMap((call) => call ?? []);
  const bySuccess = candidates.sort(
    (one, other) => (one.end?.changePercent ?? 0) - (other.end?.changePercent ?? 0),
  );
  const luck = (caller.skill * 2 + unitFrom(`luck ${caller.index} ${number}`)) / 3;
  return bySuccess[Math.min(bySuccess.length - 1, Math.floor(luck * bySuccess.length))] ?? null;
}

function planActive({
  caller,
  number,
  now,
}: {
  caller: SeededCaller;
  number: number;
  now: number;
}): PlannedCall | null {
  const calledAt = Math.floor(now - HOUR / 4 - unitFrom(`open ${caller.index} ${number}`) * 5 * DAY);
  // The tokens are neighbours in the list of tokens, so that a caller's tokens don't repeat.
  const token =
    (number === 0 && isThin(`${caller.index} active`, THIN_ACTIVE_SHARE) ? thin[0] : undefined) ??
    tokenFor(hashText(`active token ${caller.index}`) + number);
  return makeCall({ caller, key: `active ${number}`, token, calledAt, endAt: null, now });
}

interface MakeCallOptions {
  caller: SeededCaller;
  /** Unique among the caller's calls. Its hash decides the random choices. */
  key: string;
  token: MarketToken;
  calledAt: number;
  endAt: number | null;
  now: number;
}

function makeCall({ caller, key, token, calledAt, endAt, now }: MakeCallOptions): PlannedCall | null {
  const entryPrice = readPrice(priceAt(token.mint, calledAt));
  const endPrice = endAt === null ? null : readPrice(priceAt(token.mint, endAt));
  if (entryPrice === null || (endAt !== null && endPrice === null)) return null;
  const callKey = `${caller.index} ${key}`;
  const { thesis, target, stop, isPaidPromotion } = textsFor({
    key: callKey,
    token,
    entry: Number(entryPrice),
  });
  const liquidityUsd =
    unitFrom(`unknown liquidity ${callKey}`) < UNKNOWN_LIQUIDITY_SHARE ? null : token.liquidityUsd;
  const sources = { open: sourcesAt(`open ${callKey}`), end: sourcesAt(`end ${callKey}`) };
  const unranked = unrankedReason(Array.from({ length: sources.open }, () => ({ liquidityUsd })));
  const end =
    endAt === null || endPrice === null
      ? null
      : { at: endAt, price: endPrice, changePercent: changePercent(entryPrice, endPrice) };
  return {
    id: uuidFrom(`call ${callKey}`),
    callerId: caller.id,
    token,
    calledAt,
    entryPrice,
    thesis,
    targetPrice: readPrice(target),
    stopPrice: readPrice(stop),
    isPaidPromotion,
    liquidityUsd,
    unrankedReason: unranked,
    uncountedGainReason:
      end &&
      uncountedGainReason({
        isRanked: unranked === null,
        changePercent: end.changePercent,
        heldMs: end.at - calledAt,
        usable: Array.from({ length: sources.end }, () => ({ liquidityUsd })),
      }),
    sources,
    updates: updatesFor({ key: callKey, from: calledAt, to: endAt ?? now }),
    end,
  };
}

function sourcesAt(key: string): 1 | 2 {
  return unitFrom(`one source ${key}`) < ONE_SOURCE_SHARE ? 1 : 2;
}

function isThin(key: string, share = THIN_SHARE): boolean {
  return unitFrom(`is thin ${key}`) < share;
}

function tokenFor(number: number): MarketToken {
  const token = callable[number % callable.length];
  if (!token) throw new Error('The local market has no tokens');
  return token;
}
