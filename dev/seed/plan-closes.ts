import {
  CLOSE_INTERVAL_MS,
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
  DAY_MS,
  HOUR_MS,
} from '#schema/constants.ts';
import { readPrice } from '#schema/rules/prices.ts';
import { priceAt } from '../market/walk.ts';
import type { PlannedCall } from './plan-calls.ts';

/** A mint's price at the end of an interval. `at` is unix ms, `price` a plain decimal in USD. */
export interface PlannedClose {
  readonly mint: string;
  readonly at: number;
  readonly price: string;
}

/**
 * Returns the times (unix ms) between `from` and `to` at which the product has a closing price. The product
 * keeps old closing prices only hourly or daily.
 */
export function closeTimes({ from, to, now }: { from: number; to: number; now: number }): number[] {
  const times: number[] = [];
  for (let at = from; ;) {
    const step = closeInterval(now - at);
    at = Math.floor(at / step) * step + step;
    if (at > to) return times;
    times.push(at);
  }
}

function closeInterval(age: number): number {
  if (age > CLOSES_DAILY_AFTER_MS) return DAY_MS;
  return age > CLOSES_HOURLY_AFTER_MS ? HOUR_MS : CLOSE_INTERVAL_MS;
}

/** Creates the closing prices that the product would have recorded and kept while calls were open. */
export function createCloses({ now }: { now: number }) {
  const known = new Map<string, string | null>();
  const closesOf = ({
    token: { mint },
    calledAt,
    end,
  }: Pick<PlannedCall, 'token' | 'calledAt' | 'end'>): PlannedClose[] =>
    closeTimes({ from: calledAt, to: end?.at ?? now, now }).flatMap((at) => {
      const key = `${mint} ${at}`;
      const price = known.get(key) ?? readPrice(priceAt(mint, at));
      known.set(key, price);
      return price === null ? [] : { mint, at, price };
    });

  return {
    ofCalls(calls: readonly PlannedCall[]): PlannedClose[] {
      return [
        ...new Map(calls.flatMap(closesOf).map((close) => [`${close.mint} ${close.at}`, close])).values(),
      ];
    },

    /**
     * Returns the highest of a call's entry price, closing prices and end price. Null for a call that has only
     * its entry price.
     */
    peakOf(call: PlannedCall): { price: string; at: number } | null {
      const later = [...closesOf(call), ...(call.end ? [call.end] : [])];
      if (later.length === 0) return null;
      return later.reduce(
        (peak, { price, at }) => (Number(price) > Number(peak.price) ? { price, at } : peak),
        { price: call.entryPrice, at: call.calledAt },
      );
    },
  };
}
