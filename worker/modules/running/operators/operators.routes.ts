import { Hono } from 'hono';
import {
  auditQuerySchema,
  operatorActionSchema,
  operatorsPersonSchema,
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
    '/operators/overview',
    route({ summary: 'What is wrong now', response: 'OperatorsOverview' }),
    async (c) => c.json(await c.var.services.operators.overview()),
  )
  .get(
    '/operators/audit',
    route({ summary: 'What operators did, newest first', response: 'AuditEntry[]', isPaged: true }),
    validate('query', auditQuerySchema),
    async (c) => respondWithRows(c, await c.var.services.operators.listAudit(c.req.valid('query'))),
  )
  .get(
    '/operators/people',
    route({ summary: 'Find people by handle, id, wallet or call', response: 'OperatorsPerson[]' }),
    validate('query', operatorsSearchSchema),
    async (c) => c.json(await c.var.services.operators.findPeople(c.req.valid('query').search)),
  )
  .get(
    '/operators/people/:id/telegram',
    route({
      summary: 'A person’s chat, switches and mutes, and the results of the last messages',
      response: 'PersonTelegram',
    }),
    validate('param', operatorsPersonSchema),
    async (c) => c.json(await c.var.services.operators.readTelegramOf(c.req.valid('param').id)),
  )
  .get(
    '/operators/payments',
    route({
      summary: 'Find payments by signature, reference, intent or person, with their history',
      response: 'PaymentHistory[]',
    }),
    validate('query', operatorsSearchSchema),
    async (c) => c.json(await c.var.services.operators.findPayments(c.req.valid('query').search)),
  )
  .post(
    '/operators/test-alarm',
    route({ summary: 'Try the channels of alarms', response: 'TestAlarmResponse' }),
    async (c) => c.json(await c.var.services.operators.testAlarm()),
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
