import { Hono } from 'hono';
import type { Version } from '#schema/contracts/health.ts';
import type { AppEnv } from '../../../app/context.ts';
import { routeWith } from '../../../app/route.ts';

const read = routeWith({ limit: 'reads', tag: 'Service' });

export const healthRoutes = new Hono<AppEnv>()
  .get(
    '/health',
    read({
      summary: 'Whether the worker responds; 503 if its database lacks a migration',
      response: 'Version',
      otherResponses: { 503: 'Version' },
    }),
    async (c) => {
      const version = c.env.VERSION.id;
      const problem = await c.var.services.health.findDatabaseProblem();
      if (problem === null) return c.json({ status: 'ok', version } satisfies Version, 200);
      return c.json({ status: 'down', version, problem } satisfies Version, 503);
    },
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
