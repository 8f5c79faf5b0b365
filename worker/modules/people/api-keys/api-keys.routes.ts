import { Hono } from 'hono';
import { createApiKeySchema } from '#schema/contracts/api-keys.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { exactly } from '../../../app/route-facts.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Account');

/** No key may use these routes: a stolen key can't create another one. */
export const apiKeysRoutes = new Hono<AppEnv>()
  .get('/user/api-keys', read({ summary: 'List the user’s API keys', response: 'ApiKey[]' }), async (c) =>
    c.json(await c.var.services.apiKeys.list(c.var.userId)),
  )
  .post(
    '/user/api-keys',
    write({
      summary: 'Create an API key, which only this response shows',
      status: 201,
      response: 'CreatedApiKey',
      errors: ['auth.fresh_sign_in_needed', 'api_keys.too_many', 'account.deletion_requested'],
    }),
    validate('json', createApiKeySchema),
    async (c) => {
      const { userId, signedInAt } = c.var;
      return c.json(
        await c.var.services.apiKeys.create({ userId, signedInAt, body: c.req.valid('json') }),
        201,
      );
    },
  )
  .delete(
    '/user/api-keys/:id',
    write({
      summary: 'Revoke an API key',
      response: exactly({ revoked: true }),
      errors: ['api_keys.not_found'],
    }),
    async (c) => {
      await c.var.services.apiKeys.revoke({ userId: c.var.userId, id: c.req.param('id') });
      return c.json({ revoked: true });
    },
  );
