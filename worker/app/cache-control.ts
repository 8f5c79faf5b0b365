import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import { metadataOf } from './route.ts';
import { hasAuthorization } from './session.ts';

export const PRIVATE = 'private, no-store';

/** The page's HTML before its data is loaded. */
export const SHELL = 'public, max-age=0, must-revalidate';

export const LIST = 'public, max-age=10, stale-while-revalidate=30';

export const DOCUMENT = 'public, max-age=3600, stale-while-revalidate=86400';

/** At most an hour in total, because an operator may hide the caller meanwhile. */
export const AN_HOUR = 'public, max-age=3000, stale-while-revalidate=600';

/** For a share image without the caller's avatar, because X may deliver the avatar next time. */
const PROVISIONAL = 'public, max-age=300';

/**
 * Sets Cache-Control on every response: the `cache` of its route, else PRIVATE, because Workers Cache ignores cookies
 * and would store a 200 without the header. Never replaces PRIVATE that a handler has set.
 */
export const cacheControl = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.res.headers.set('Cache-Control', directiveOf(c));
});

function directiveOf(c: Context<AppEnv>): string {
  // Don't let caches share a 404, because an active call gets an image as soon as it has ended.
  const isShareable =
    c.req.method === 'GET' &&
    (c.res.status === 200 || c.res.status === 304) &&
    !hasAuthorization(c) &&
    !c.res.headers.has('Set-Cookie') &&
    c.res.headers.get('Cache-Control') !== PRIVATE;
  const directive = metadataOf(c)?.cache;
  if (!isShareable || directive === undefined) return PRIVATE;
  if (c.get('isRenderedPage') === true) return LIST;
  return c.get('isProvisional') === true ? PROVISIONAL : directive;
}
