import { Hono } from 'hono';
import { callersQuerySchema, comparisonQuerySchema, resultsQuerySchema } from '#schema/contracts/callers.ts';
import type { AppEnv } from '../../../app/context.ts';
import { LIST } from '../../../app/cache-control.ts';
import type { ApiFacts } from '../../../app/route-facts.ts';
import { route, routeWith } from '../../../app/route.ts';
import { setLogSize } from '../../../app/log-size.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { validate } from '../../../app/validate.ts';
import { respondVersioned } from '../../../app/versioned.ts';

const read = routeWith({ limit: 'reads', session: 'optional', apiKey: 'read', tag: 'Callers' });

/** The same response for everybody. */
const listed = (facts: Pick<ApiFacts, 'summary' | 'response' | 'errors' | 'isPaged'>) =>
  route({ limit: 'reads', cache: LIST, replica: true, tag: 'Callers', ...facts });

export const callersRoutes = new Hono<AppEnv>()
  .get(
    '/callers',
    listed({
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
    listed({
      summary: 'A caller’s ended ranked calls with the prices one minute later, and all fees',
      response: 'CallerResults',
      errors: ['callers.not_found'],
    }),
    async (c) => c.json(await c.var.services.callers.results(c.req.param('usernameOrId'))),
  )
  .get(
    '/results',
    listed({ summary: 'The results of several callers', response: 'FoundResults[]' }),
    validate('query', resultsQuerySchema),
    async (c) => c.json(await c.var.services.callers.listResults(c.req.valid('query'))),
  )
  .get(
    '/comparison',
    listed({ summary: 'Compare callers with the same amount per call', response: 'Comparison' }),
    validate('query', comparisonQuerySchema),
    async (c) => c.json(await c.var.services.callers.compare(c.req.valid('query'))),
  );
