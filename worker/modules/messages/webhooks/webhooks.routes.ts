import { Hono } from 'hono';
import { webhookSchema } from '#schema/contracts/webhooks.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const { read, write, costly } = signedInRoutes('Notifications');

export const webhooksRoutes = new Hono<AppEnv>()
  .get(
    '/user/webhook',
    read({ summary: 'The user’s webhook and its latest deliveries', response: 'Webhook' }),
    async (c) => c.json(await c.var.services.webhooks.read(c.var.userId)),
  )
  .put(
    '/user/webhook',
    write({
      summary: 'Send events to an address. Only this response shows the secret',
      response: 'CreatedWebhook',
      errors: ['auth.fresh_sign_in_needed', 'webhooks.address_refused', 'account.deletion_requested'],
    }),
    validate('json', webhookSchema),
    async (c) => {
      const { userId, sessionId, signedInAt } = c.var;
      const webhook = { userId, sessionId, signedInAt, ...c.req.valid('json') };
      return c.json(await c.var.services.webhooks.save(webhook));
    },
  )
  .post(
    '/user/webhook/samples',
    costly({
      summary: 'Send a sample of each kind to the webhook',
      response: 'WebhookSamples',
      errors: ['webhooks.not_found'],
    }),
    async (c) => c.json(await c.var.services.webhooks.sendSamples(c.var.userId)),
  );
