import { createMiddleware } from 'hono/factory';
import { RATE_LIMITS } from '#schema/constants/app.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { AppEnv } from './context.ts';
import { AppError } from './errors.ts';
import { limitOf } from './limit-requests.ts';
import { metadataOf } from './route.ts';
import { routeOf } from './route-of.ts';
import { hasAuthorization } from './session.ts';

const WINDOW_SECONDS = MINUTE_MS / SECOND_MS;

const EXPOSED = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After';

/**
 * Headers for programs on responses of the API: the rate limit (draft-ietf-httpapi-ratelimit-headers), and CORS for public
 * GETs. Without `Access-Control-Allow-Credentials`, browsers on other sites get only what a visitor without a session
 * gets. Responses that shared caches may store have no `RateLimit`, because the quota is the visitor's.
 */
export const programHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const facts = metadataOf(c);
  if (facts === undefined || !('summary' in facts) || facts.session === 'operator') return;
  const { limit } = limitOf(routeOf(c), facts);
  c.header('RateLimit-Policy', `"${limit}";q=${RATE_LIMITS[limit]};w=${WINDOW_SECONDS}`);
  const isRefused = c.error instanceof AppError && c.error.code === 'request.too_many';
  const quota = isRefused ? { remaining: 0, resetSeconds: WINDOW_SECONDS } : c.get('quota');
  const isShared = facts.cache !== undefined && c.res.ok && !hasAuthorization(c);
  if (quota && !isShared) c.header('RateLimit', `"${limit}";r=${quota.remaining};t=${quota.resetSeconds}`);
  const isPublic = facts.session === undefined || facts.session === 'optional';
  if (c.req.method !== 'GET' || !isPublic) return;
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Access-Control-Expose-Headers', EXPOSED);
});
