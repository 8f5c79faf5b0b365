import { Hono, type Context } from 'hono';
import type { AppEnv } from '../../app/context.ts';
import type { CardImage } from './share-image.service.ts';

/** Ended calls and callers as images, for previews, posts and links. */
export const shareImageRoutes = new Hono<AppEnv>()
  .get('/token-calls/:id/share.png', async (c) => {
    const id = c.req.param('id');
    return isWrittenAs(c, `/api/token-calls/${id}/share.png`)
      ? answerPng(c, await c.var.services.shareImages.ofCall(id))
      : c.notFound();
  })
  .get('/callers/:usernameOrId/card.png', async (c) => {
    const usernameOrId = c.req.param('usernameOrId');
    return isWrittenAs(c, `/api/callers/${usernameOrId}/card.png`)
      ? answerPng(c, await c.var.services.shareImages.ofCaller(usernameOrId))
      : c.notFound();
  });

/** A shared cache keys by the address as it was written: each image has its own, without a query and without escapes. */
function isWrittenAs(c: Context<AppEnv>, path: string): boolean {
  return c.req.url.endsWith(`${new URL(c.req.url).host}${path}`);
}

function answerPng(c: Context<AppEnv>, image: CardImage | null) {
  if (image === null) return c.notFound();
  c.set('isProvisional', image.isProvisional);
  return c.body(image.png, 200, { 'Content-Type': 'image/png' });
}
