import { changePercent } from '#schema/rules/performance.ts';
import { readPrice } from '#schema/rules/prices.ts';
import { hashText, unitFrom } from '../market/noise.ts';
import { tokens, type MarketToken } from '../market/tokens.ts';
import { priceAt } from '../market/walk.ts';
import { uuidFrom, type SeededCaller } from './cast.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A call of the past, at the prices that the market had. Prices are plain decimals, times unix ms. */
export interface PlannedCall {
  readonly id: string;
  readonly callerId: string;
  readonly token: MarketToken;
  readonly calledAt: number;
  readonly entryPrice: string;
  readonly end: { readonly at: number; readonly price: string; readonly changePercent: number } | null;
}

const callable = tokens.filter((token) => token.isReal && token.anchorPrice !== null && token.volatility > 0.4);

/** A caller's calls: the better the caller, the better the moments they pick. */
export function planCalls({ caller, from, now }: { caller: SeededCaller; from: number; now: number }): PlannedCall[] {
  const start = Math.max(from, caller.joinedAt);
  const ended = Array.from({ length: caller.callCount }, (_, number) => planEnded({ caller, number, start, now })).flatMap((call) => call ?? []);
  const activeCount = caller.callCount === 0 ? 0 : hashText(`active ${caller.index}`) % 4;
  const active = Array.from({ length: activeCount }, (_, number) => planActive({ caller, number, now })).flatMap((call) => call ?? []);
  return [...ended, ...active];
}

function planEnded({ caller, number, start, now }: { caller: SeededCaller; number: number; start: number; now: number }): PlannedCall | null {
  const candidates = Array.from({ length: 4 }, (_, attempt) => {
    const key = `${caller.index} ${number} ${attempt}`;
    const token = tokenFor(hashText(`token ${key}`));
    const held = 2 * HOUR + unitFrom(`held ${key}`) ** 2 * 16 * DAY;
    const calledAt = Math.floor(start + unitFrom(`at ${key}`) * (now - HOUR - held - start));
    return calledAt < start ? null : makeCall({ caller, key: `ended ${number}`, token, calledAt, endAt: Math.floor(calledAt + held) });
  }).flatMap((call) => call ?? []);
  const bySuccess = candidates.sort((one, other) => (one.end?.changePercent ?? 0) - (other.end?.changePercent ?? 0));
  const luck = (caller.skill * 2 + unitFrom(`luck ${caller.index} ${number}`)) / 3;
  return bySuccess[Math.min(bySuccess.length - 1, Math.floor(luck * bySuccess.length))] ?? null;
}

function planActive({ caller, number, now }: { caller: SeededCaller; number: number; now: number }): PlannedCall | null {
  const calledAt = Math.floor(now - HOUR / 4 - unitFrom(`open ${caller.index} ${number}`) * 5 * DAY);
  // Neighbours in the list: never the same token twice.
  const token = tokenFor(hashText(`active token ${caller.index}`) + number);
  return makeCall({ caller, key: `active ${number}`, token, calledAt, endAt: null });
}

function makeCall({ caller, key, token, calledAt, endAt }: { caller: SeededCaller; key: string; token: MarketToken; calledAt: number; endAt: number | null }): PlannedCall | null {
  const entryPrice = readPrice(priceAt(token.mint, calledAt));
  const endPrice = endAt === null ? null : readPrice(priceAt(token.mint, endAt));
  if (entryPrice === null || (endAt !== null && endPrice === null)) return null;
  return {
    id: uuidFrom(`call ${caller.index} ${key}`),
    callerId: caller.id,
    token,
    calledAt,
    entryPrice,
    end: endAt === null || endPrice === null ? null : { at: endAt, price: endPrice, changePercent: changePercent(entryPrice, endPrice) },
  };
}

function tokenFor(number: number): MarketToken {
  const token = callable[number % callable.length];
  if (!token) throw new Error('The local market has no tokens');
  return token;
}
