import { Hono } from 'hono';
import {
  auditQuerySchema,
  operatorActionSchema,
  operatorsPageSchema,
  operatorsSearchSchema,
} from '#schema/contracts/operators.ts';
import type { AppEnv } from '../../../app/context.ts';
import { routeWith } from '../../../app/route.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { validate } from '../../../app/validate.ts';

const route = routeWith({ limit: 'unknown', session: 'operator', tag: 'Operators' });

/** Every route's session is `operator` and its limit `unknown`, so that others don't learn that it exists. */
export const operatorsRoutes = new Hono<AppEnv>()
  .get(
    '/operators/now',
    route({ summary: 'What users can’t do now, and what is wrong', response: 'OperatorsPage' }),
    async (c) => c.json(await c.var.services.operators.now()),
  )
  .get(
    '/operators/audit',
    route({ summary: 'What operators did, newest first', response: 'OperatorsRow[]', isPaged: true }),
    validate('query', auditQuerySchema),
    async (c) => respondWithRows(c, await c.var.services.operators.listAudit(c.req.valid('query'))),
  )
  .get(
    '/operators/search',
    route({ summary: 'Find people, payments and calls', response: 'OperatorsRow[]' }),
    validate('query', operatorsSearchSchema),
    async (c) => c.json(await c.var.services.operators.search(c.req.valid('query').search)),
  )
  .get(
    '/operators/:kind/:id',
    route({
      summary: 'A person, a payment, a call, or what we earned',
      response: 'OperatorsPage',
      errors: ['operators.subject_not_found'],
    }),
    validate('param', operatorsPageSchema),
    async (c) => c.json(await c.var.services.operators.show(c.req.valid('param'))),
  )
  .post(
    '/operators/test-alarm',
    route({
      summary: 'Try the channels of alarms',
      response: 'TestAlarmResponse',
      errors: ['auth.fresh_sign_in_needed'],
    }),
    async (c) => {
      const { operators } = c.var.services;
      operators.assertMayAct(c.var.operator);
      return c.json(await operators.testAlarm());
    },
  )
  .post(
    '/operators/actions',
    route({
      summary: 'Do something with a reason, which the audit keeps',
      response: 'OperatorActionResponse',
      errors: [
        'operators.subject_not_found',
        'operators.subject_deleted',
        'account.open_calls',
        'account.handle_mismatch',
        'account.deletion_due',
        'auth.fresh_sign_in_needed',
      ],
    }),
    validate('json', operatorActionSchema),
    async (c) => {
      const { operators } = c.var.services;
      operators.assertMayAct(c.var.operator);
      return c.json(await operators.act(c.var.operator, c.req.valid('json')));
    },
  );
