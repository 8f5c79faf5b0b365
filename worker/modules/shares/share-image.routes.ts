import { Hono, type Context } from 'hono';
import type { AppEnv } from '../../app/context.ts';
import { allowOtherSites } from '../../app/security-headers.ts';
import type { CardImage } from './share-image.service.ts';

export const shareImageRoutes = new Hono<AppEnv>()
  .get('/token-calls/:id/share.png', async (c) => {
    const id = c.req.param('id');
    if (!isCanonical(c, `/api/token-calls/${id}/share.png`)) return c.notFound();
    return answerPng(c, await c.var.services.shareImages.drawCall(id));
  })
  .get('/callers/:usernameOrId/card.png', async (c) => {
    const usernameOrId = c.req.param('usernameOrId');
    if (!isCanonical(c, `/api/callers/${usernameOrId}/card.png`)) return c.notFound();
    return answerPng(c, await c.var.services.shareImages.drawCaller(usernameOrId));
  });

/**
 * Shared caches use the raw URL as their key, so queries and escapes would let anyone make us draw one image again
 * and again.
 */
function isCanonical(c: Context<AppEnv>, path: string): boolean {
  return c.req.url.endsWith(`${new URL(c.req.url).host}${path}`);
}

function answerPng(c: Context<AppEnv>, image: CardImage | null) {
  if (image === null) return c.notFound();
  c.set('isProvisional', image.isProvisional);
  allowOtherSites(c);
  return c.body(image.png, 200, { 'Content-Type': 'image/png' });
}
