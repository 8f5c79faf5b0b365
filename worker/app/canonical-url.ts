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
 * of a page's path, and for a cached route with the canonical query. A shared cache's key is the raw URL, so anyone
 * could make us read the same rows again with another notation.
 */
export const canonicalUrl = createMiddleware<AppEnv>(async (c, next) => {
  const { href, origin, pathname } = new URL(c.req.url);
  const decoded = pathname.replace(NEEDLESS_ESCAPE, (escape) => decodeURIComponent(escape));
  // Only pages have the same content with a slash at the end.
  const path = metadataOf(c)?.cache === SHELL ? decoded.replace(TRAILING_SLASH, '') : decoded;
  const canonical = `${path}${canonicalSearch(c, href.slice(origin.length + pathname.length))}`;
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead || href === `${origin}${canonical}`) return next();
  // With two slashes, the redirect would lead to another site.
  if (path.startsWith('//')) return c.notFound();
  return c.redirect(canonical, PERMANENT_REDIRECT);
});

/** A cached route's query: sorted, normalized, without defaults. The renderer makes the queries of pages canonical. */
function canonicalSearch(c: Context<AppEnv>, sent: string): string {
  const cache = metadataOf(c)?.cache;
  if (cache === undefined || cache === SHELL) return sent === '?' ? '' : sent;
  const validations = matchedRoutes(c).flatMap(({ handler }) => validationOf(handler) ?? []);
  const schema = validations.find(({ target }) => target === 'query')?.schema;
  if (schema === undefined) return '';
  const query = Object.entries(c.req.queries()).map(([name, [first, ...others]]) => [
    name,
    others.length === 0 ? first : [first, ...others],
  ]);
  const read = (left: string | null) =>
    schema.safeParse(Object.fromEntries(query.filter(([name]) => name !== left)));
  const parsed = read(null);
  // `validate` refuses the request.
  if (!parsed.success) return sent;
  const isDefault = (name: string, value: unknown) =>
    new Map(Object.entries(read(name).data ?? {})).get(name) === value;
  const written = Object.entries(parsed.data ?? {}).filter(
    ([name, value]) => value !== undefined && !isDefault(name, value),
  );
  const parameters = new URLSearchParams(written.map(([name, value]) => [name, String(value)]));
  parameters.sort();
  return parameters.size === 0 ? '' : `?${parameters}`;
}
