import { hashText, pickFrom, hashToUnit } from '../stand-ins/market/noise.ts';
import type { MarketToken } from '../stand-ins/market/tokens.ts';
import { firstBusyTime } from './busy-times.ts';

const DAY = 86_400_000;

const THESES: readonly ((symbol: string) => string)[] = [
  (symbol) =>
    `${symbol} has held the same level for a week while everything around it fell. I take that as buyers who are not done.`,
  (symbol) =>
    `Volume in ${symbol} has tripled since Monday and the price has not moved yet. One of the two is wrong.`,
  (symbol) =>
    `A plain range trade: ${symbol} is at the bottom of where it has been for a month. Out if it closes below.`,
  (symbol) =>
    `Following SOL with a delay. If SOL holds, ${symbol} has two days to catch up; if it does not, I am wrong.`,
];

/** A call's price at the time of an update, beside the levels that the caller chose. */
interface Situation {
  readonly price: number;
  readonly entry: number;
  readonly target: number | null;
  readonly stop: number | null;
}

/** Callers' texts, and when each is true. */
const UPDATES: readonly { readonly message: string; readonly fits: (now: Situation) => boolean }[] = [
  {
    message: 'Taking my own stop up to the entry. From here it costs nothing to wait.',
    fits: ({ price, entry, target }) => price > entry * 1.08 && price < (target ?? Infinity),
  },
  {
    message: 'Halfway to the target. I would not add here.',
    fits: ({ price, entry, target }) =>
      target !== null && Math.abs((price - entry) / (target - entry) - 0.5) < 0.1,
  },
  {
    message: 'The target is reached. I stay in, and end it if it falls back below.',
    fits: ({ price, target }) => target !== null && price >= target,
  },
  {
    message: 'At the entry again. It has to hold here or I end it.',
    fits: ({ price, entry }) => Math.abs(price / entry - 1) < 0.015,
  },
  {
    message: 'Down from the entry. I would not add here.',
    fits: ({ price, entry, stop }) => price < entry * 0.95 && price > (stop ?? 0),
  },
  {
    message: 'Below my stop. I should have ended it there.',
    fits: ({ price, stop }) => stop !== null && price <= stop,
  },
  {
    message: 'Still in. Nothing has changed about why.',
    fits: ({ price, entry, stop }) => price > (stop ?? 0) && Math.abs(price / entry - 1) < 0.1,
  },
];

/** The optional texts and price levels of a call. Prices are numbers in USD. */
export interface CallTexts {
  readonly thesis: string | null;
  readonly target: number | null;
  readonly stop: number | null;
  readonly isPaidPromotion: boolean;
}

/** Gives about half of the calls a thesis. Some of those also get a target and a stop. */
export function textsFor(key: string, { symbol }: MarketToken, entry: number): CallTexts {
  const hasTexts = hashToUnit(`thesis ${key}`) < 0.5;
  const rounded = (price: number) => Number(price.toPrecision(3));
  return {
    thesis: hasTexts ? pickFrom(THESES, `words ${key}`)(symbol) : null,
    target:
      hasTexts && hashToUnit(`target ${key}`) < 0.7
        ? rounded(entry * (1.1 + 0.6 * hashToUnit(`up ${key}`)))
        : null,
    stop:
      hasTexts && hashToUnit(`stop ${key}`) < 0.6
        ? rounded(entry * (0.6 + 0.3 * hashToUnit(`down ${key}`)))
        : null,
    isPaidPromotion: hashText(`paid ${key}`) % 25 === 0,
  };
}

interface UpdatedCall extends Omit<Situation, 'price'> {
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly priceAt: (at: number) => number;
}

/** Creates a call's updates, oldest first, which fit its price. Most calls get none. */
export function updatesFor(key: string, call: UpdatedCall): { message: string; at: number }[] {
  const { from, to, priceAt } = call;
  const count = hashToUnit(`has updates ${key}`) < 0.4 ? 1 + Math.min(2, Math.floor((to - from) / DAY)) : 0;
  const said = new Set<string>();
  return Array.from({ length: count }, (_, number) => {
    const updateKey = `update at ${key} ${number}`;
    return firstBusyTime(from + ((to - from) * (number + hashToUnit(updateKey))) / count, updateKey);
  }).flatMap((at) => {
    if (at >= to) return [];
    const fitting = UPDATES.filter(
      ({ message, fits }) => !said.has(message) && fits({ ...call, price: priceAt(at) }),
    );
    if (fitting.length === 0) return [];
    const { message } = pickFrom(fitting, `update ${key} ${at}`);
    said.add(message);
    return [{ message, at }];
  });
}
