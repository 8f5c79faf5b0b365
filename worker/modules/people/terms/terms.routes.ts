import { Hono } from 'hono';
import { acceptanceSchema } from '#schema/contracts/acceptances.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

export const termsRoutes = new Hono<AppEnv>().post(
  '/user/acceptances',
  signedInRoutes('Account').write({
    summary: 'Accept the terms, the privacy notice and the risks',
    status: 201,
    response: 'CurrentUser',
    errors: ['terms.outdated'],
  }),
  validate('json', acceptanceSchema),
  async (c) => {
    const { userId, services } = c.var;
    await services.terms.accept({ userId, seen: c.req.valid('json') });
    return c.json(await services.users.current(userId), 201);
  },
);
