import type { MiddlewareHandler } from 'hono';
import type { RequestLimit, RequestRate } from '../market/request-limit.ts';

/** API keys that the local Jupiter accepts, by plan. */
export const LOCAL_JUPITER_KEYS = { free: 'local-free-key', developer: 'local-developer-key' } as const;

const perMinute = (limit: number): RequestRate => ({ limit, windowMs: 60_000 });
const KEYLESS_RATE = perMinute(30);
const RATES: ReadonlyMap<string, RequestRate> = new Map([
  [LOCAL_JUPITER_KEYS.free, perMinute(60)],
  [LOCAL_JUPITER_KEYS.developer, perMinute(600)],
]);

/** Counts prices and tokens in one bucket, by the plan of the request's key, in a sliding window of a minute. */
export function jupiterRateLimit(limit: RequestLimit): MiddlewareHandler {
  return async (context, next) => {
    const key = context.req.header('x-api-key');
    const rate = key === undefined ? KEYLESS_RATE : RATES.get(key);
    if (rate === undefined) return context.json({ code: 401, message: 'Unauthorized' }, 401);
    if (limit.take(rate)) return next();
    return context.json({ code: 429, message: 'Too Many Requests' }, 429);
  };
}
