import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import { routeOf } from './route-of.ts';

/** Measures how long each request takes. The clock stands still while code computes, so this is the time of its waits. */
export const measureRequests = createMiddleware<AppEnv>(async (c, next) => {
  const { clock, metrics } = c.var.services;
  const startedAt = clock.now();
  await next();
  const value = clock.now() - startedAt;
  metrics.record({ kind: 'request', name: routeOf(c), outcome: String(c.res.status), value });
});
