import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from './errors.ts';

export function isCrossSite(c: Context): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = c.req.header('Origin') ?? c.req.header('Referer');
  return origin !== undefined && URL.parse(origin)?.origin !== new URL(c.req.url).origin;
}

/** True if the browser says that our own page, or the address bar, started the request. */
export function isFromOwnPage(c: Context): boolean {
  const hasSignal = ['Sec-Fetch-Site', 'Origin', 'Referer'].some((name) => c.req.header(name) !== undefined);
  return hasSignal && !isCrossSite(c);
}

/** Refuses writes from another site, because browsers may add our session cookie to them. */
export const refuseCrossSiteWrites = createMiddleware(async (c, next) => {
  const isWrite = c.req.method !== 'GET' && c.req.method !== 'HEAD';
  if (isWrite && isCrossSite(c)) throw new AppError({ code: 'request.cross_site' });
  await next();
});
