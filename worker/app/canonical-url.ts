import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';

/**
 * True if the request's raw URL is this path, without a query or escapes. Shared caches use the raw URL as their key,
 * so other notations would make us draw or fetch the same image again.
 */
export function isCanonicalUrl(c: Context<AppEnv>, path: string): boolean {
  return c.req.url.endsWith(`${new URL(c.req.url).host}${path}`);
}

/**
 * Shared caches use the whole URL as their key, so anyone could make us read the same rows again with a new query.
 */
export const refuseQuery = createMiddleware<AppEnv>(async (c, next) =>
  new URL(c.req.url).search === '' ? next() : c.notFound(),
);
