import { Hono } from 'hono';
import { twitterPostSchema } from '#schema/contracts/shares.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser, requireUserOr } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';
import { createSignInToPostError } from './shares.errors.ts';

export const sharesRoutes = new Hono<AppEnv>()
  .post(
    '/twitter-post',
    requireUserOr(createSignInToPostError),
    validate('json', twitterPostSchema),
    async (c) =>
      c.json(await c.var.services.shares.post({ userId: c.var.userId, body: c.req.valid('json') })),
  )
  .delete('/user/x-posting', requireUser, async (c) =>
    c.json(await c.var.services.shares.disconnect(c.var.userId)),
  );
