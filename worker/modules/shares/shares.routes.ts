import { Hono } from 'hono';
import { shareImageQuerySchema, twitterPostSchema } from '#schema/contracts/shares.ts';
import type { AppEnv } from '../../app/context.ts';
import { requireUserOr } from '../../app/session.ts';
import { validate } from '../../app/validate.ts';
import { createSignInToPostError } from './shares.errors.ts';

/** Ended calls as images, and callers' tweets of them. */
export const sharesRoutes = new Hono<AppEnv>()
  .get('/token-calls/:id/share.png', validate('query', shareImageQuerySchema), async (c) => {
    const png = await c.var.services.shares.image(c.req.param('id'));
    return c.body(png, 200, { 'Content-Type': 'image/png' });
  })
  .post('/twitter-post', requireUserOr(createSignInToPostError), validate('json', twitterPostSchema), async (c) =>
    c.json(await c.var.services.shares.post({ userId: c.var.userId, body: c.req.valid('json') })),
  );
