import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { SHELL } from './cache-control.ts';
import type { AppEnv } from './context.ts';
import { metadataOf } from './route.ts';
import { validationOf } from './validate.ts';

const PERMANENT_REDIRECT = 308;
/** Escapes of letters, digits and `-._~`. They are equivalent to the character itself (RFC 3986, 2.3). */
const NEEDLESS_ESCAPE = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;
const TRAILING_SLASH = /(?<=.)\/$/;

/**
 * Redirects a GET or HEAD request to the canonical form of its URL: without needless escapes, without a slash at the end
 * of a page's path, and without a query that a cached route doesn't take. A shared cache's key is the raw URL, so anyone
 * could make us read the same rows again with another notation.
 */
export const canonicalUrl = createMiddleware<AppEnv>(async (c, next) => {
  const { href, origin, pathname } = new URL(c.req.url);
  const decoded = pathname.replace(NEEDLESS_ESCAPE, (escape) => decodeURIComponent(escape));
  // Only pages have the same content with a slash at the end.
  const path = metadataOf(c)?.cache === SHELL ? decoded.replace(TRAILING_SLASH, '') : decoded;
  const search = href.slice(origin.length + pathname.length);
  const canonical = mayTakeQuery(c) && search !== '?' ? `${path}${search}` : path;
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || href === `${origin}${canonical}`) return next();
  // With two slashes, the redirect would lead to another site.
  if (path.startsWith('//')) return c.notFound();
  return c.redirect(canonical, PERMANENT_REDIRECT);
});

/** The renderer makes the queries of pages canonical, and `canonicalQuery` the queries of lists. */
function mayTakeQuery(c: Context<AppEnv>): boolean {
  const cache = metadataOf(c)?.cache;
  const validatesQuery = () =>
    matchedRoutes(c).some(({ handler }) => validationOf(handler)?.target === 'query');
  return cache === undefined || cache === SHELL || validatesQuery();
}
