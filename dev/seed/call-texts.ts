import { hashText, pickFrom, hashToUnit } from '../stand-ins/market/noise.ts';
import type { MarketToken } from '../stand-ins/market/tokens.ts';

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

const UPDATES: readonly string[] = [
  'Still in. Nothing has changed about why.',
  'Taking my own stop up to the entry. From here it costs nothing to wait.',
  'Halfway to the target. I would not add here.',
  'Back at the entry. It has to hold here or I end it.',
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
        ? rounded(entry * (1.25 + 1.5 * hashToUnit(`up ${key}`)))
        : null,
    stop:
      hasTexts && hashToUnit(`stop ${key}`) < 0.6
        ? rounded(entry * (0.6 + 0.3 * hashToUnit(`down ${key}`)))
        : null,
    isPaidPromotion: hashText(`paid ${key}`) % 25 === 0,
  };
}

/** Creates a call's updates between two times (unix ms), oldest first. Two thirds of the calls get none. */
export function updatesFor(key: string, from: number, to: number): { message: string; at: number }[] {
  const count = hashToUnit(`has updates ${key}`) < 0.35 ? 1 + Math.min(2, Math.floor((to - from) / DAY)) : 0;
  const first = hashText(`updates ${key}`);
  return Array.from({ length: count }, (_, number) => ({
    message: UPDATES[(first + number) % UPDATES.length] ?? '',
    at: Math.floor(from + ((to - from) * (number + hashToUnit(`update at ${key} ${number}`))) / count),
  }));
}
