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

/**
 * Counts prices and tokens in one bucket, by the plan of the request's key, in a sliding window of a minute. As in Jupiter's
 * documentation, responses with 200 or 429 have the current count and, in unix seconds, when the next request is free.
 */
export function jupiterRateLimit(limit: RequestLimit): MiddlewareHandler {
  return async (context, next) => {
    context.header('x-api-gateway-request-id', crypto.randomUUID());
    const key = context.req.header('x-api-key');
    const rate = key === undefined ? KEYLESS_RATE : RATES.get(key);
    if (rate === undefined) return context.json({ code: 401, message: 'Unauthorized' }, 401);
    const isTaken = limit.take(rate);
    const { current, remaining, freeAt } = limit.usage(rate);
    if (isTaken) await next();
    else context.res = context.json({ code: 429, message: '[API Gateway] Too many requests' }, 429);
    if (![200, 429].includes(context.res.status)) return;
    context.header('x-ratelimit-current', String(current));
    context.header('x-ratelimit-remaining', String(remaining));
    context.header('x-ratelimit-reset', String(Math.floor(freeAt / 1_000)));
  };
}
