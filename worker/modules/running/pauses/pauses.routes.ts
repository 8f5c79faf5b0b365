import { Hono } from 'hono';
import { LIST } from '../../../app/cache-control.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route } from '../../../app/route.ts';

export const pausesRoutes = new Hono<AppEnv>().get(
  '/pauses',
  route({
    limit: 'reads',
    tag: 'Service',
    summary: 'What is paused for everybody, and why',
    response: 'Pause[]',
    cache: LIST,
    replica: true,
  }),
  async (c) => c.json(await c.var.services.pauses.list()),
);
