import type { MiddlewareHandler } from 'hono';

const SECOND = 1000;
/** The limit of one of Jupiter's plans. Requests are refused only in tests that set a lower limit. */
const usual = { limit: 6000, windowMs: 60 * SECOND };

export interface RateLimit {
  set(rate: { limit: number; windowMs: number }): void;
  /** Restores the usual limit and resets the count. */
  reset(): void;
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
    reset() {
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

/** Adds rate limit headers to every response and refuses requests over the limit, as Jupiter does. */
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
