import { Hono } from 'hono';
import { createApiKeySchema } from '#schema/contracts/api-keys.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const { write } = signedInRoutes('Account');

/** No key may use this route: a stolen key can't create another one. */
export const apiKeysRoutes = new Hono<AppEnv>().post(
  '/user/api-keys',
  write({
    summary: 'Create an API key, which only this response shows',
    status: 201,
    response: 'CreatedApiKey',
    errors: ['auth.fresh_sign_in_needed', 'api_keys.too_many', 'account.deletion_requested'],
  }),
  validate('json', createApiKeySchema),
  async (c) => {
    const { userId, sessionId, signedInAt } = c.var;
    const key = { userId, sessionId, signedInAt, body: c.req.valid('json') };
    return c.json(await c.var.services.apiKeys.create(key), 201);
  },
);
