import { Hono, type Context } from 'hono';
import { createCallSchema, endCallQuerySchema, endedCallsQuerySchema } from '#schema/contracts/calls.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import { tokenSearchQuerySchema } from '#schema/contracts/prices.ts';
import { LIST, PRIVATE } from '../../../app/cache-control.ts';
import type { AppEnv } from '../../../app/context.ts';
import { routeWith } from '../../../app/route.ts';
import { hasAuthorization } from '../../../app/session.ts';
import { setLogSize } from '../../../app/log-size.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { callerIdOf } from '../../../app/caller-id.ts';
import { validate } from '../../../app/validate.ts';
import { respondVersioned } from '../../../app/versioned.ts';
import type { AllCallsRequest } from './call-lists.ts';

const FRESH_PRICE = [
  'prices.unavailable',
  'prices.missing',
  'prices.disagree',
  'prices.stale',
  'prices.undated',
  'prices.unit_unknown',
  'prices.busy',
] as const;

const publicRead = routeWith({ limit: 'reads', tag: 'Calls' });
const ownRead = routeWith({ limit: 'reads', session: 'required', apiKey: 'read', tag: 'Calls' });
const viewerRead = routeWith({ limit: 'reads', session: 'optional', apiKey: 'read', tag: 'Calls' });
const write = routeWith({ limit: 'writes', session: 'required', apiKey: 'call', tag: 'Calls' });

export const callsRoutes = new Hono<AppEnv>()
  .post(
    '/token-calls',
    write({
      ability: 'calls',
      summary: 'Open a call at the server’s price',
      status: 201,
      response: 'TokenCall',
      errors: [
        ...FRESH_PRICE,
        'users.not_a_caller',
        'users.suspended',
        'account.deletion_requested',
        'tokens.not_found',
        'calls.not_yours',
        'calls.already_called',
        'calls.price_moved',
        'calls.paused',
        'calls.too_many',
        'calls.too_many_attempts',
        'calls.target_invalid',
        'calls.stop_invalid',
      ],
    }),
    validate('json', createCallSchema),
    async (c) =>
      c.json(
        await c.var.services.calls.create({
          userId: c.var.userId,
          body: c.req.valid('json'),
          madeOn: hasAuthorization(c) ? 'api' : 'site',
        }),
        201,
      ),
  )
  .patch(
    '/token-calls/:id/end',
    write({
      ability: 'calls',
      summary: 'End a call at the server’s price',
      response: 'TokenCall',
      errors: [
        ...FRESH_PRICE,
        'calls.not_found',
        'calls.not_yours',
        'calls.already_ended',
        'calls.gain_not_counted',
        'calls.too_many_attempts',
      ],
    }),
    validate('query', endCallQuerySchema),
    async (c) => {
      const isOnlyIfCounted = c.req.valid('query').onlyIfCounted !== undefined;
      const params = { id: c.req.param('id'), userId: c.var.userId, isOnlyIfCounted };
      return c.json(await c.var.services.calls.end(params));
    },
  )
  .get(
    '/token-calls/ended',
    publicRead({
      cache: LIST,
      replica: true,
      summary: 'List ended calls, newest first',
      response: 'TokenCall[]',
      isPaged: true,
    }),
    validate('query', endedCallsQuerySchema),
    async (c) => {
      const query = c.req.valid('query');
      const page = await c.var.services.calls.listEnded(query);
      // A stored response would show that somebody else has searched for the token.
      if (query.symbol !== undefined && page.rows.length === 0) c.header('Cache-Control', PRIVATE);
      return respondWithRows(c, page);
    },
  )
  .get(
    '/tokens/called',
    publicRead({
      cache: LIST,
      replica: true,
      summary: 'Tokens with an ended call, by the beginning of their symbol or name, or by mint',
      response: 'CalledToken[]',
    }),
    validate('query', tokenSearchQuerySchema),
    async (c) => {
      const found = await c.var.services.tokenCalls.search(c.req.valid('query').q);
      // A stored response would show that somebody else has searched for the token.
      if (found.length === 0) c.header('Cache-Control', PRIVATE);
      return c.json(found);
    },
  )
  .get(
    '/tokens/:mint/calls',
    viewerRead({
      replica: true,
      summary: 'The calls on a token',
      response: 'TokenCalls',
      errors: ['tokens.not_found'],
    }),
    async (c) =>
      c.json(await c.var.services.tokenCalls.get({ mint: c.req.param('mint'), viewerId: c.var.viewerId })),
  )
  .get(
    '/token-calls/:id',
    viewerRead({
      replica: true,
      summary: 'A call with its updates and quotes',
      response: 'CallDetail',
      errors: ['calls.not_found'],
    }),
    async (c) =>
      c.json(await c.var.services.callDetails.get({ id: c.req.param('id'), viewerId: c.var.viewerId })),
  )
  .get(
    '/token-calls/:id/chart',
    viewerRead({
      replica: true,
      summary: 'The prices of a call from its entry to its end',
      response: 'CallChart',
      errors: ['calls.not_found'],
    }),
    async (c) =>
      c.json(await c.var.services.callDetails.chart({ id: c.req.param('id'), viewerId: c.var.viewerId })),
  )
  .get(
    '/subscriptions/calls',
    ownRead({ summary: 'The calls of all callers that the user follows', response: 'TokenCall[]' }),
    async (c) => respondVersioned(c, await c.var.services.calls.listFollowed(c.var.userId)),
  )
  .get(
    '/token-calls/caller/:id/active',
    viewerRead({
      summary: 'A caller’s active calls',
      response: 'TokenCall[]',
      errors: ['callers.not_found', 'calls.not_entitled'],
    }),
    async (c) =>
      respondVersioned(
        c,
        await c.var.services.calls.listActive({ callerId: await callerIdOf(c), viewerId: c.var.viewerId }),
      ),
  )
  .get(
    '/token-calls/caller/:id/history',
    viewerRead({
      replica: true,
      summary: 'The same as the caller’s calls',
      response: 'TokenCall[]',
      isPaged: true,
      errors: ['callers.not_found'],
    }),
    validate('query', pageQuerySchema),
    async (c) => respondWithAll(c, { callerId: await callerIdOf(c), ...c.req.valid('query') }),
  )
  .get(
    '/token-calls/caller/:id',
    viewerRead({
      replica: true,
      summary: 'A caller’s calls: active ones for viewers with access, then ended ones',
      response: 'TokenCall[]',
      isPaged: true,
      errors: ['callers.not_found'],
    }),
    validate('query', pageQuerySchema),
    async (c) => respondWithAll(c, { callerId: await callerIdOf(c), ...c.req.valid('query') }),
  );

async function respondWithAll(c: Context<AppEnv>, request: Omit<AllCallsRequest, 'viewerId'>) {
  const { logSize, ...page } = await c.var.services.calls.listAll({ ...request, viewerId: c.var.viewerId });
  setLogSize(c, logSize);
  return respondWithRows(c, page);
}
