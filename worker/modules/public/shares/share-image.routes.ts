import { Hono, type Context } from 'hono';
import { isCanonicalUrl } from '../../../app/canonical-url.ts';
import type { AppEnv } from '../../../app/context.ts';
import { allowOtherSites } from '../../../app/security-headers.ts';
import type { CardImage } from './share-image.service.ts';

export const shareImageRoutes = new Hono<AppEnv>()
  .get('/token-calls/:id/share.png', async (c) => {
    const id = c.req.param('id');
    if (!isCanonicalUrl(c, `/api/token-calls/${id}/share.png`)) return c.notFound();
    return answerPng(c, await c.var.services.shareImages.drawCall(id));
  })
  .get('/callers/:usernameOrId/card.png', async (c) => {
    const usernameOrId = c.req.param('usernameOrId');
    if (!isCanonicalUrl(c, `/api/callers/${usernameOrId}/card.png`)) return c.notFound();
    return answerPng(c, await c.var.services.shareImages.drawCaller(usernameOrId));
  });

function answerPng(c: Context<AppEnv>, image: CardImage | null) {
  if (image === null) return c.notFound();
  c.set('isProvisional', image.isProvisional);
  allowOtherSites(c);
  return c.body(image.png, 200, { 'Content-Type': 'image/png' });
}
