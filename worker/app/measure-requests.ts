import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import { routeOf } from './route-of.ts';

/** Measures how long each request waits for I/O. The Workers clock doesn't advance during computation. */
export const measureRequests = createMiddleware<AppEnv>(async (c, next) => {
  const { clock, metrics } = c.var.services;
  const startedAt = clock.now();
  await next();
  const value = clock.now() - startedAt;
  metrics.record({ kind: 'request', name: routeOf(c), outcome: String(c.res.status), value });
});
