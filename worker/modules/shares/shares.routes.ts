import { Hono } from 'hono';
import { twitterPostSchema } from '#schema/contracts/shares.ts';
import type { AppEnv } from '../../app/context.ts';
import { requireUser, requireUserOr } from '../../app/session.ts';
import { validate } from '../../app/validate.ts';
import { createSignInToPostError } from './shares.errors.ts';

/** Ended calls as images, and callers' tweets of them. */
export const sharesRoutes = new Hono<AppEnv>()
  .get('/token-calls/:id/share.png', async (c) => {
    const id = c.req.param('id');
    // A shared cache keys by the address as it was written: each image has one, without a query and without escapes.
    if (!c.req.url.endsWith(`${new URL(c.req.url).host}/api/token-calls/${id}/share.png`)) return c.notFound();
    const png = await c.var.services.shares.image(id);
    return c.body(png, 200, { 'Content-Type': 'image/png' });
  })
  .post('/twitter-post', requireUserOr(createSignInToPostError), validate('json', twitterPostSchema), async (c) =>
    c.json(await c.var.services.shares.post({ userId: c.var.userId, body: c.req.valid('json') })),
  )
  .delete('/user/x-posting', requireUser, async (c) => c.json(await c.var.services.shares.disconnect(c.var.userId)));
