import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { MAX_SHOWN_PRICE_AGE_MS, SECOND_MS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { AppEnv } from './context.ts';
import { PAGE_PATHS, patternOf } from './page-paths.ts';

export const PRIVATE = 'private, no-store';

/** A page without content. */
const SHELL = 'public, max-age=0, must-revalidate';

const LIST = 'public, max-age=10, stale-while-revalidate=30';

const HOURLY = 'public, max-age=3600, stale-while-revalidate=86400';

/** A call's icon never changes, and a caller's new picture gets a new path. */
const STORED_IMAGE = 'public, max-age=86400, stale-while-revalidate=604800';

/**
 * The price may already be one window old when the worker sends it. A shared cache may keep it only for the
 * rest of the maximum age.
 */
const SHOWN_PRICE = `public, max-age=${(MAX_SHOWN_PRICE_AGE_MS - SHOWN_PRICE_WINDOW_MS) / SECOND_MS}`;

/** For an image that lacks the caller's picture. X may deliver the picture next time. */
const PROVISIONAL = 'public, max-age=300';

/**
 * Responses that are the same for every visitor. All others are `private, no-store`, because Workers Cache ignores
 * cookies and would store a 200 without the header.
 */
const publicResponses: readonly (readonly [path: RegExp, directive: string])[] = [
  [/^\/api\/callers$/, LIST],
  [/^\/api\/token-calls\/ended$/, LIST],
  // An ended call never changes, but its caller's name and picture may.
  [/^\/api\/token-calls\/[^/]+\/share\.png$/, HOURLY],
  [/^\/api\/callers\/[^/]+\/card\.png$/, 'public, max-age=600, stale-while-revalidate=3000'],
  [/^\/api\/images\/(?:callers\/[^/]+|calls)\/[^/]+$/, STORED_IMAGE],
  [/^\/api\/prices$/, SHOWN_PRICE],
  // This price is only for display, and refreshed once a minute.
  [/^\/api\/prices\/sol$/, 'public, max-age=60, stale-while-revalidate=300'],
  [/^\/(?:robots\.txt|sitemap(?:-[a-z\d-]+)?\.xml)$/, HOURLY],
  ...['/caller/:usernameOrId', '/call/:id', ...PAGE_PATHS].map((path) => [patternOf(path), SHELL] as const),
];

/** Sets Cache-Control on every response. Keeps PRIVATE if a route has set it. */
export const cacheControl = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  c.res.headers.set('Cache-Control', directiveOf(c));
});

function directiveOf(c: Context<AppEnv>): string {
  // Don't let caches share a 404, because an active call gets an image as soon as it has ended.
  const isShareable =
    c.req.method === 'GET' &&
    (c.res.status === 200 || c.res.status === 304) &&
    !c.res.headers.has('Set-Cookie') &&
    c.res.headers.get('Cache-Control') !== PRIVATE;
  const [, directive] = publicResponses.find(([path]) => path.test(c.req.path)) ?? [];
  if (!isShareable || directive === undefined) return PRIVATE;
  if (c.get('isRenderedPage') === true) return LIST;
  return c.get('isProvisional') === true ? PROVISIONAL : directive;
}
