import type { Context } from 'hono';
import type { AppEnv } from './context.ts';

/**
 * True if the request's raw URL is this path, without a query or escapes. Shared caches use the raw URL as their key,
 * so other notations would make us draw or fetch the same image again.
 */
export function isCanonicalUrl(c: Context<AppEnv>, path: string): boolean {
  return c.req.url.endsWith(`${new URL(c.req.url).host}${path}`);
}
