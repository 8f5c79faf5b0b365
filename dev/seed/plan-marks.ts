import { MARK_DELAYS_MINUTES, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { readPrice } from '#schema/rules/prices.ts';
import { unitFrom } from '../market/noise.ts';
import { priceAt } from '../market/walk.ts';
import type { PlannedCall } from './plan-calls.ts';

/** Probability that no source had a price at the right time. */
const MISSING_SHARE = 0.03;
const AGE_MS = 2 * SECOND_MS;

/** The marks that the product would have recorded for a call until `now` (unix ms). */
export function marksOf({ id, token, calledAt, end, liquidityUsd }: PlannedCall, now: number) {
  const sides = [
    { side: 'open' as const, at: calledAt },
    ...(end === null ? [] : [{ side: 'end' as const, at: end.at }]),
  ];
  return sides.flatMap(({ side, at }) =>
    MARK_DELAYS_MINUTES.flatMap((delayMinutes) => {
      const key = `mark ${id} ${side} ${delayMinutes}`;
      const seenAt = Math.floor(at + delayMinutes * MINUTE_MS + unitFrom(`${key} late`) * MINUTE_MS);
      const price = readPrice(priceAt(token.mint, seenAt));
      if (price === null || seenAt > now || unitFrom(key) < MISSING_SHARE) return [];
      return [
        { callId: id, side, delayMinutes, price, liquidityUsd, source: 'jupiter', seenAt, ageMs: AGE_MS },
      ];
    }),
  );
}
