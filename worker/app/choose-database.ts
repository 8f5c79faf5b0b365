import { createMiddleware } from 'hono/factory';
import { readFromReplica } from '../shared/database.ts';
import type { AppEnv } from './context.ts';
import { PAGE_PATHS, withSlash } from './page-paths.ts';
import { routeOf } from './route-of.ts';
import { readSessionCookie } from './session.ts';

/** Reads of public data. No route for money, accounts or messages belongs here. */
export const REPLICA_ROUTES: ReadonlySet<string> = new Set([
  ...['/caller/:usernameOrId', '/call/:id', '/token/:mint', ...PAGE_PATHS]
    .flatMap(withSlash)
    .map((path) => `GET ${path}`),
  'GET /sitemap.xml',
  'GET /feeds/recent-calls.xml',
  'GET /caller/:usernameOrId/feed.xml',
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}',
  'GET /log/checkpoint',
  'GET /log/tile/:path{.+}',
  'GET /log/callers/:callerId',
  'GET /log/anchors',
  'GET /api/callers',
  'GET /api/callers/:usernameOrId',
  'GET /api/callers/:usernameOrId/statistics',
  'GET /api/callers/:usernameOrId/card.png',
  'GET /api/token-calls/ended',
  'GET /api/token-calls/:id',
  'GET /api/token-calls/:id/chart',
  'GET /api/token-calls/caller/:id',
  'GET /api/token-calls/caller/:id/history',
  'GET /api/tokens/called',
  'GET /api/tokens/:mint/calls',
  'GET /api/prices',
]);

/**
 * Lets public reads use replicas of the database. A request with a session cookie uses the primary, so that people
 * see what they have just changed, and access is never decided with old data.
 */
export const chooseDatabase = createMiddleware<AppEnv>(async (c, next) => {
  const isPublicRead = REPLICA_ROUTES.has(routeOf(c)) && readSessionCookie(c, c.var.services) === undefined;
  return isPublicRead ? readFromReplica(c.env.DB, next) : next();
});
