import { createMiddleware } from 'hono/factory';

const PERMANENT_REDIRECT = 308;
/** Escapes of letters, digits and `-._~`. They are equivalent to the character itself (RFC 3986, 2.3). */
const NEEDLESS_ESCAPE = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;
/** Image routes return 404 if their path isn't in canonical form. */
const IMAGES = /^\/api\/(?:images\/|.*\.png$)/;

/**
 * Redirects a GET or HEAD request whose path contains a needless escape. A shared cache's key is the raw URL, so every
 * notation of a path would have its own entry.
 */
export const canonicalPath = createMiddleware(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const path = pathname.replace(NEEDLESS_ESCAPE, (escape) => decodeURIComponent(escape));
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || path === pathname || IMAGES.test(path)) return next();
  // With two slashes, the redirect would lead to another site.
  if (path.startsWith('//')) return c.notFound();
  return c.redirect(`${path}${search}`, PERMANENT_REDIRECT);
});
