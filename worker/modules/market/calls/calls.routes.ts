import { Hono } from 'hono';
import { createCallSchema, endCallQuerySchema, endedCallsQuerySchema } from '#schema/contracts/calls.ts';
import { tokenSearchQuerySchema } from '#schema/contracts/prices.ts';
import { canonicalQuery } from '../../../app/canonical-query.ts';
import { PRIVATE } from '../../../app/cache-control.ts';
import type { AppEnv } from '../../../app/context.ts';
import { linkNextPage } from '../../../app/pages.ts';
import { identifyViewer, requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';
import { answerVersioned } from '../../../app/versioned.ts';

export const callsRoutes = new Hono<AppEnv>()
  .post('/token-calls', requireUser, validate('json', createCallSchema), async (c) =>
    c.json(await c.var.services.calls.create({ userId: c.var.userId, body: c.req.valid('json') }), 201),
  )
  .patch('/token-calls/:id/end', requireUser, validate('query', endCallQuerySchema), async (c) => {
    const isOnlyIfCounted = c.req.valid('query').onlyIfCounted !== undefined;
    const question = { id: c.req.param('id'), userId: c.var.userId, isOnlyIfCounted };
    return c.json(await c.var.services.calls.end(question));
  })
  .get(
    '/token-calls/ended',
    validate('query', endedCallsQuerySchema),
    canonicalQuery(endedCallsQuerySchema),
    async (c) => {
      const { cursor, limit } = c.req.valid('query');
      const { rows, nextCursor } = await c.var.services.calls.listEnded({ cursor, limit });
      linkNextPage(c, nextCursor);
      return c.json(rows);
    },
  )
  .get(
    '/tokens/called',
    validate('query', tokenSearchQuerySchema),
    canonicalQuery(tokenSearchQuerySchema),
    async (c) => {
      const found = await c.var.services.tokenCalls.search(c.req.valid('query').q);
      // A stored answer would show that somebody else has searched for the token.
      if (found.length === 0) c.header('Cache-Control', PRIVATE);
      return c.json(found);
    },
  )
  .get('/tokens/:mint/calls', identifyViewer, async (c) =>
    c.json(await c.var.services.tokenCalls.get({ mint: c.req.param('mint'), viewerId: c.var.viewerId })),
  )
  .get('/token-calls/:id', identifyViewer, async (c) =>
    c.json(await c.var.services.callDetails.get({ id: c.req.param('id'), viewerId: c.var.viewerId })),
  )
  .get('/token-calls/:id/chart', identifyViewer, async (c) =>
    c.json(await c.var.services.callDetails.chart({ id: c.req.param('id'), viewerId: c.var.viewerId })),
  )
  .get('/token-calls/caller/:id/active', identifyViewer, async (c) =>
    answerVersioned(
      c,
      await c.var.services.calls.listActive({ callerId: c.req.param('id'), viewerId: c.var.viewerId }),
    ),
  )
  .get('/token-calls/caller/:id/history', identifyViewer, async (c) =>
    c.json(await c.var.services.calls.listAll({ callerId: c.req.param('id'), viewerId: c.var.viewerId })),
  )
  .get('/token-calls/caller/:id', identifyViewer, async (c) =>
    c.json(await c.var.services.calls.listAll({ callerId: c.req.param('id'), viewerId: c.var.viewerId })),
  );
