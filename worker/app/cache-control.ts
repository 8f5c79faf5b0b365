import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { MAX_SHOWN_PRICE_AGE_MS, SECOND_MS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { AppEnv } from './context.ts';
import { PAGE_PATHS, patternOf } from './page-paths.ts';

export const PRIVATE = 'private, no-store';

/** A page without content. */
const SHELL = 'public, max-age=0, must-revalidate';

const LIST = 'public, max-age=10, stale-while-revalidate=30';

const DOCUMENT = 'public, max-age=3600, stale-while-revalidate=86400';

/** At most an hour in total, because the caller may be hidden meanwhile. */
const AN_HOUR = 'public, max-age=3000, stale-while-revalidate=600';

/** Shared caches keep a caller's picture as long as `AN_HOUR`. A browser keeps it longer: it has shown it already. */
const PICTURE = 'public, max-age=86400, s-maxage=3000, stale-while-revalidate=600';

/** A token's icon never changes. */
const TOKEN_ICON = 'public, max-age=86400, stale-while-revalidate=604800';

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
  [/^\/api\/tokens\/called$/, LIST],
  [/^\/feeds\/recent-calls\.xml$/, LIST],
  [/^\/caller\/[^/]+\/feed\.xml$/, LIST],
  // An ended call never changes, but its caller's name and picture may.
  [/^\/api\/token-calls\/[^/]+\/share\.png$/, AN_HOUR],
  [/^\/api\/callers\/[^/]+\/card\.png$/, 'public, max-age=600, stale-while-revalidate=3000'],
  [/^\/api\/images\/callers\/[^/]+\/[^/]+$/, PICTURE],
  [/^\/api\/images\/calls\/[^/]+$/, TOKEN_ICON],
  [/^\/api\/prices$/, SHOWN_PRICE],
  // This price is only for display, and refreshed once a minute.
  [/^\/api\/prices\/sol$/, 'public, max-age=60, stale-while-revalidate=300'],
  [/^\/api\/(?:openapi\.json|docs)$/, DOCUMENT],
  [/^\/(?:robots\.txt|sitemap(?:-[a-z\d-]+)?\.xml)$/, AN_HOUR],
  // A tile and a bundle never change: a larger tree gives them another path.
  [/^\/log\/tile\//, 'public, max-age=31536000, immutable'],
  [/^\/log\/checkpoint$/, 'public, max-age=5'],
  [/^\/log\/key$/, DOCUMENT],
  [/^\/log\/callers\/[^/]+$/, LIST],
  [/^\/log\/anchors$/, 'public, max-age=60'],
  ...['/caller/:usernameOrId', '/call/:id', '/token/:mint', ...PAGE_PATHS].map(
    (path) => [patternOf(path), SHELL] as const,
  ),
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
