import { Hono } from 'hono';
import { LIST } from '../../../app/cache-control.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route } from '../../../app/route.ts';

export const statusRoutes = new Hono<AppEnv>().get(
  '/status',
  route({
    limit: 'reads',
    tag: 'Service',
    summary: 'What is paused for everybody and why, and what users can’t do now',
    response: 'Status',
    cache: LIST,
  }),
  async (c) => {
    const { pauses, outages } = c.var.services;
    // Users hear of an outage of the database, too.
    const listed = pauses.list().catch(() => []);
    return c.json({ pauses: await listed, outages: await outages.list() });
  },
);
