import { Hono } from 'hono';
import { webhookSchema } from '#schema/contracts/webhooks.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { exactly } from '../../../app/route-facts.ts';
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
      const { userId, signedInAt } = c.var;
      return c.json(await c.var.services.webhooks.save({ userId, signedInAt, ...c.req.valid('json') }));
    },
  )
  .delete(
    '/user/webhook',
    write({ summary: 'Send no more events', response: exactly({ removed: true }) }),
    async (c) => {
      await c.var.services.webhooks.remove(c.var.userId);
      return c.json({ removed: true });
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
