import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import { routeOf } from './route-of.ts';

/** One request in 20 is stored, because each stored point costs money. */
const SAMPLE = 20;

/**
 * Measures how long requests wait for I/O: all that fail with 5xx, and a sample of the others. The Workers clock doesn't
 * advance during computation.
 */
export const measureRequests = createMiddleware<AppEnv>(async (c, next) => {
  const { clock, metrics, random } = c.var.services;
  const startedAt = clock.now();
  await next();
  const { status } = c.res;
  const isFailure = status >= 500;
  if (!isFailure && random() * SAMPLE >= 1) return;
  const value = clock.now() - startedAt;
  const count = isFailure ? 1 : SAMPLE;
  metrics.record({ kind: 'request', name: routeOf(c), outcome: String(status), value, count });
});
