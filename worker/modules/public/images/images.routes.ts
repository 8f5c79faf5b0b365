import { Hono, type Context } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { route, routeWith } from '../../../app/route.ts';
import type { Image } from '../../../ports/image.ts';

/** Shared caches store an avatar as long as `AN_HOUR`, browsers for a day, because they have shown it already. */
const AVATAR_CACHING = 'public, max-age=86400, s-maxage=3000, stale-while-revalidate=600';

const TOKEN_ICON_CACHING = 'public, max-age=86400, stale-while-revalidate=604800';

const image = routeWith({ limit: 'cheap', tag: 'Images' });
/** Responses that a key may read have these paths. */
const ownImage = routeWith({ limit: 'reads', session: 'required', apiKey: 'read', tag: 'Images' });

export const imagesRoutes = new Hono<AppEnv>()
  .get(
    '/images/callers/:id/:version',
    image({
      cache: AVATAR_CACHING,
      summary: 'A caller’s picture',
      contentType: 'image/*',
      errors: ['images.not_found'],
    }),
    async (c) => {
      const { id: callerId, version } = c.req.param();
      return respondWithImage(c, await c.var.services.images.callerAvatar({ callerId, version }));
    },
  )
  .get(
    '/images/calls/:id',
    image({
      cache: TOKEN_ICON_CACHING,
      summary: 'The icon of an ended call’s token',
      contentType: 'image/*',
      errors: ['images.not_found'],
    }),
    async (c) => {
      const id = c.req.param('id');
      return respondWithImage(c, await c.var.services.images.endedCallIcon(id));
    },
  )
  .get(
    '/images/active-calls/:id',
    route({
      limit: 'cheap',
      session: 'optional',
      apiKey: 'read',
      tag: 'Images',
      summary: 'The icon of an active call’s token',
      contentType: 'image/*',
      errors: ['images.not_found'],
    }),
    async (c) => {
      const request = { callId: c.req.param('id'), viewerId: c.var.viewerId };
      return respondWithImage(c, await c.var.services.images.activeCallIcon(request));
    },
  )
  .get(
    '/images/me/:version',
    ownImage({ summary: 'The user’s own picture', contentType: 'image/*', errors: ['images.not_found'] }),
    async (c) => {
      const request = { userId: c.var.userId, version: c.req.param('version') };
      return respondWithImage(c, await c.var.services.images.ownAvatar(request));
    },
  )
  // A price source chooses the icon's URL, so the request may go to any host.
  .get(
    '/images/tokens/:sealed',
    ownImage({
      summary: 'The icon of a token that the user looked up',
      contentType: 'image/*',
      errors: ['images.not_found'],
    }),
    async (c) => {
      const request = { userId: c.var.userId, sealed: c.req.param('sealed') };
      return respondWithImage(c, await c.var.services.images.tokenIcon(request));
    },
  );

function respondWithImage(c: Context, { type, bytes }: Image) {
  return c.body(bytes, 200, { 'Content-Type': type });
}
