import { Hono } from 'hono';
import type { Version } from '#schema/contracts/health.ts';
import type { AppEnv } from '../../../app/context.ts';
import { routeWith } from '../../../app/route.ts';

const read = routeWith({ limit: 'reads', tag: 'Service' });

export const healthRoutes = new Hono<AppEnv>()
  .get('/health', read({ summary: 'Whether the worker responds', response: 'Version' }), (c) =>
    c.json({ status: 'ok', version: c.env.VERSION.id } satisfies Version),
  )
  .get(
    '/health/ready',
    read({
      summary: 'Whether each dependency works; 503 if the product is down',
      response: 'Health',
      otherResponses: { 503: 'Health' },
    }),
    async (c) => {
      const health = await c.var.services.health.check();
      return c.json(health, health.status === 'down' ? 503 : 200);
    },
  );
