import { Hono } from 'hono';
import { MAX_SHARE_BODY_BYTES } from '#schema/constants/public.ts';
import { twitterPostSchema } from '#schema/contracts/shares.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';
import { createSignInToPostError } from './shares.errors.ts';

const { write, costly } = signedInRoutes('Sharing');

export const sharesRoutes = new Hono<AppEnv>()
  .post(
    '/twitter-post',
    costly({
      ability: 'posts',
      summary: 'Post the image of an ended call on X',
      response: 'TwitterPostResponse',
      errors: [
        'users.not_a_caller',
        'calls.not_found',
        'calls.not_yours',
        'shares.text_empty',
        'shares.text_too_long',
        'shares.image_changed',
        'shares.consent_needed',
        'shares.consent_incomplete',
        'shares.other_account',
        'shares.rejected_by_x',
        'shares.rate_limited',
        'shares.paused',
        'shares.unconfirmed',
        'shares.x_unavailable',
      ],
      maxBodyBytes: MAX_SHARE_BODY_BYTES,
      createSignInError: createSignInToPostError,
    }),
    validate('json', twitterPostSchema),
    async (c) =>
      c.json(await c.var.services.shares.post({ userId: c.var.userId, body: c.req.valid('json') })),
  )
  .delete(
    '/user/x-posting',
    write({ summary: 'Take back the permission to post on X', response: 'DisconnectXResponse' }),
    async (c) => c.json(await c.var.services.shares.disconnect(c.var.userId)),
  );
