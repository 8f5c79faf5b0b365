import { Hono, type Context } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { AN_HOUR, DOCUMENT } from '../../../app/cache-control.ts';
import { routeWith } from '../../../app/route.ts';
import { allowOtherSites } from '../../../app/security-headers.ts';
import type { CardImage } from './share-image.service.ts';

const costly = routeWith({ limit: 'costly', tag: 'Sharing' });

export const shareImageRoutes = new Hono<AppEnv>()
  .get(
    '/card.png',
    costly({
      cache: DOCUMENT,
      summary: 'The site’s image for link previews',
      contentType: 'image/png',
    }),
    async (c) => respondWithPng(c, await c.var.services.shareImages.drawSite()),
  )
  .get(
    '/token-calls/:id/share.png',
    costly({
      // An ended call never changes, but its caller's name, image and record may.
      cache: AN_HOUR,
      summary: 'The image of an ended call',
      contentType: 'image/png',
      errors: ['calls.not_found'],
    }),
    async (c) => {
      const id = c.req.param('id');
      return respondWithPng(c, await c.var.services.shareImages.drawCall(id));
    },
  )
  .get(
    '/callers/:usernameOrId/card.png',
    costly({
      cache: 'public, max-age=600, stale-while-revalidate=3000',
      replica: true,
      summary: 'The image of a caller for link previews',
      contentType: 'image/png',
      errors: ['callers.not_found'],
    }),
    async (c) => {
      const usernameOrId = c.req.param('usernameOrId');
      return respondWithPng(c, await c.var.services.shareImages.drawCaller(usernameOrId));
    },
  );

function respondWithPng(c: Context<AppEnv>, image: CardImage | null) {
  if (image === null) return c.notFound();
  c.set('isProvisional', image.isProvisional);
  allowOtherSites(c);
  return c.body(image.png, 200, { 'Content-Type': 'image/png' });
}
