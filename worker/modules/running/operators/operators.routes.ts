import { Hono } from 'hono';
import {
  auditQuerySchema,
  metricsQuerySchema,
  operatorActionSchema,
  operatorsSearchSchema,
} from '#schema/contracts/operators.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireOperator } from '../../../app/operators.ts';
import { linkNextPage } from '../../../app/pages.ts';
import { validate } from '../../../app/validate.ts';

/** Every route begins with `requireOperator`, so that others don't learn that it exists. */
export const operatorsRoutes = new Hono<AppEnv>()
  .get('/operators/overview', requireOperator, async (c) => c.json(await c.var.services.operators.overview()))
  .get('/operators/audit', requireOperator, validate('query', auditQuerySchema), async (c) => {
    const { rows, nextCursor } = await c.var.services.operators.listAudit(c.req.valid('query'));
    linkNextPage(c, nextCursor);
    return c.json(rows);
  })
  .get('/operators/people', requireOperator, validate('query', operatorsSearchSchema), async (c) =>
    c.json(await c.var.services.operators.findPeople(c.req.valid('query').search)),
  )
  .get('/operators/payments', requireOperator, validate('query', operatorsSearchSchema), async (c) =>
    c.json(await c.var.services.operators.findPayments(c.req.valid('query').search)),
  )
  .get('/operators/metrics', requireOperator, validate('query', metricsQuerySchema), async (c) =>
    c.json(await c.var.services.operators.readMetrics(c.req.valid('query').hours)),
  )
  .post('/operators/actions', requireOperator, validate('json', operatorActionSchema), async (c) => {
    const { operators } = c.var.services;
    operators.assertMayAct(c.var.operator);
    return c.json(await operators.act(c.var.operator, c.req.valid('json')));
  });
