import { Hono } from 'hono';
import { becomeCallerSchema, callerProfileSchema, profileSchema } from '#schema/contracts/users.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

export const usersRoutes = new Hono<AppEnv>()
  .post('/user/become-caller', requireUser, validate('json', becomeCallerSchema), async (c) =>
    c.json(await c.var.services.users.becomeCaller({ userId: c.var.userId, ...c.req.valid('json') }), 201),
  )
  .patch('/user/caller-profile', requireUser, validate('json', callerProfileSchema), async (c) => {
    const { userId, signedInAt } = c.var;
    const change = { userId, signedInAt, ...c.req.valid('json') };
    return c.json(await c.var.services.users.updateCallerProfile(change));
  })
  .patch('/user/profile', requireUser, validate('json', profileSchema), async (c) =>
    c.json(await c.var.services.users.updateBio({ userId: c.var.userId, ...c.req.valid('json') })),
  );
