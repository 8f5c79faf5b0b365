import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';

/** The route of a request, such as `GET /api/callers/:usernameOrId`. Unlike the path, it contains no ids or handles. */
export function routeOf(c: Context): string {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route ? `${route.method} ${route.path}` : 'unknown';
}
