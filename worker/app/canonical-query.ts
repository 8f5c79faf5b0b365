import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';

const PERMANENT_REDIRECT = 308;

/**
 * Redirects to the canonical form of a query: sorted, normalized, without defaults. A shared cache's key is the raw
 * URL, so every notation would have its own entry. Use it after `validate('query', schema)` with the same schema.
 */
export function canonicalQuery(schema: z.ZodObject): MiddlewareHandler {
  const defaults = schema.safeParse({}).data ?? {};
  return async (c, next) => {
    const url = new URL(c.req.url);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `validate` runs before, but the type of this handler doesn't say so.
    const query = c.req.valid('query' as never) as Readonly<Record<string, unknown>>;
    const canonical = `${url.pathname}${writeQuery(query, defaults)}`;
    if (url.href === `${url.origin}${canonical}`) return next();
    return c.redirect(canonical, PERMANENT_REDIRECT);
  };
}

function writeQuery(
  query: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): string {
  const written = Object.entries(query)
    .filter(([name, value]) => value !== undefined && value !== defaults[name])
    .map(([name, value]) => [name, String(value)]);
  const parameters = new URLSearchParams(written);
  parameters.sort();
  return parameters.size === 0 ? '' : `?${parameters}`;
}
