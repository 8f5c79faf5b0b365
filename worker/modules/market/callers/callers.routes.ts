import { Hono } from 'hono';
import { callersQuerySchema } from '#schema/contracts/callers.ts';
import type { AppEnv } from '../../../app/context.ts';
import { LIST } from '../../../app/cache-control.ts';
import { route, routeWith } from '../../../app/route.ts';
import { setLogSize } from '../../../app/log-size.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { validate } from '../../../app/validate.ts';
import { respondVersioned } from '../../../app/versioned.ts';

const read = routeWith({ limit: 'reads', session: 'optional', apiKey: 'read', tag: 'Callers' });

export const callersRoutes = new Hono<AppEnv>()
  .get(
    '/callers',
    route({
      limit: 'reads',
      cache: LIST,
      replica: true,
      tag: 'Callers',
      summary: 'List callers',
      response: 'CallerListItem[]',
      isPaged: true,
    }),
    validate('query', callersQuerySchema),
    async (c) => {
      const page = await c.var.services.callers.list(c.req.valid('query'));
      setLogSize(c, page.logSize);
      return respondWithRows(c, page);
    },
  )
  .get(
    '/callers/:usernameOrId',
    read({
      replica: true,
      summary: 'A caller’s profile',
      response: 'CallerProfile',
      errors: ['callers.not_found'],
    }),
    async (c) => {
      const request = { usernameOrId: c.req.param('usernameOrId'), viewerId: c.var.viewerId };
      const profile = await c.var.services.callers.profile(request);
      setLogSize(c, profile.logSize);
      return respondVersioned(c, profile);
    },
  )
  .get(
    '/callers/:usernameOrId/statistics',
    read({
      replica: true,
      summary: 'A caller’s statistics',
      response: 'CallerStatistics',
      errors: ['callers.not_found'],
    }),
    async (c) => {
      const request = { usernameOrId: c.req.param('usernameOrId'), viewerId: c.var.viewerId };
      const { statistics, logSize } = await c.var.services.callers.statistics(request);
      setLogSize(c, logSize);
      return c.json(statistics);
    },
  )
  .get(
    '/callers/:usernameOrId/results',
    route({
      limit: 'reads',
      apiKey: 'read',
      cache: LIST,
      replica: true,
      tag: 'Callers',
      summary: 'A caller’s ended ranked calls with the prices one minute later, and all fees',
      response: 'CallerResults',
      errors: ['callers.not_found'],
    }),
    async (c) => c.json(await c.var.services.callers.results(c.req.param('usernameOrId'))),
  );
