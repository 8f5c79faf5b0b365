import type { MiddlewareHandler } from 'hono';

/** At most `limit` requests in each period of `windowMs`, wherever the period begins. */
export interface RequestRate {
  readonly limit: number;
  readonly windowMs: number;
}

interface RequestLimitOptions {
  /** Unix ms. */
  readonly now: () => number;
  /** Without limits until a test sets one. */
  readonly isLifted?: boolean;
}

export type RequestLimit = ReturnType<typeof createRequestLimit>;

/** Counts requests in a sliding window, as Jupiter and DexScreener do. */
export function createRequestLimit({ now, isLifted = false }: RequestLimitOptions) {
  let rate: RequestRate | null = null;
  let taken: number[] = [];
  const change = (next: RequestRate | null) => {
    rate = next;
    taken = [];
  };
  return {
    /** Replaces the usual rate. Earlier requests don't count. */
    set: change,
    /** Restores the usual rate. Earlier requests don't count. */
    reset: () => change(null),
    /** Counts a request, unless there were too many. */
    take(usual: RequestRate) {
      if (rate === null && isLifted) return true;
      const { limit, windowMs } = rate ?? usual;
      const since = now() - windowMs;
      taken = taken.filter((at) => at > since && at <= now());
      if (taken.length >= limit) return false;
      taken.push(now());
      return true;
    },
    /** How many requests count now, how many more are allowed, and when the oldest one stops counting (unix ms). */
    usage(usual: RequestRate) {
      const { limit, windowMs } = rate ?? usual;
      const current = taken.length;
      return { current, remaining: Math.max(0, limit - current), freeAt: (taken[0] ?? now()) + windowMs };
    },
  };
}

const DEXSCREENER_RATE: RequestRate = { limit: 300, windowMs: 60_000 };

/** Refuses requests over DexScreener's limit, with the response of the Cloudflare in front of it. */
export function obeyDexScreenerLimit(limit: RequestLimit): MiddlewareHandler {
  return async (context, next) => {
    if (limit.take(DEXSCREENER_RATE)) return next();
    return context.text('error code: 1015', 429);
  };
}
