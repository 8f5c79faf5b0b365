import type { MiddlewareHandler } from 'hono';

const SECOND = 1000;
/** As one of the real API's plans, and more than any test asks for that does not set its own. */
const usual = { limit: 6000, windowMs: 60 * SECOND };

/** How many requests an API takes in each window of time. */
export interface RateLimit {
  /** From now on only so many a window, from the window that is now. */
  set(rate: { limit: number; windowMs: number }): void;
  /** The usual limit again, and nothing used of it. */
  free(): void;
  /** Counts a request. */
  take(): { isTaken: boolean; limit: number; remaining: number; resetAt: number; retryAfterSeconds: number };
}

/** @param now unix ms */
export function createRateLimit(now: () => number): RateLimit {
  let rate = usual;
  let window = -1;
  let used = 0;
  return {
    set(next) {
      rate = next;
      used = 0;
    },
    free() {
      rate = usual;
      used = 0;
    },
    take() {
      const { limit, windowMs } = rate;
      const current = Math.floor(now() / windowMs);
      if (current !== window) used = 0;
      window = current;
      const isTaken = used < limit;
      if (isTaken) used += 1;
      const resetAt = (current + 1) * windowMs;
      return {
        isTaken,
        limit,
        remaining: limit - used,
        resetAt,
        retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now()) / SECOND)),
      };
    },
  };
}

/** Tells the rate limit on every answer and refuses what is over it, as the real API does. */
export function obeyRateLimit(rateLimit: RateLimit): MiddlewareHandler {
  return async (context, next) => {
    const { isTaken, limit, remaining, resetAt, retryAfterSeconds } = rateLimit.take();
    context.header('x-ratelimit-limit', String(limit));
    context.header('x-ratelimit-remaining', String(remaining));
    context.header('x-ratelimit-reset', String(Math.ceil(resetAt / SECOND)));
    if (isTaken) return next();
    context.header('retry-after', String(retryAfterSeconds));
    return context.json({ code: 429, message: 'Too Many Requests' }, 429);
  };
}
