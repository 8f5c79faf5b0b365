import { Hono, type Context } from 'hono';
import { isCanonicalUrl } from '../../../app/canonical-url.ts';
import type { AppEnv } from '../../../app/context.ts';
import { identifyViewer, requireUser } from '../../../app/session.ts';
import type { Image } from '../../../ports/image.ts';

/** Serves images of other sites, so that those sites don't get requests from our viewers. */
export const imagesRoutes = new Hono<AppEnv>()
  .get('/images/callers/:id/:version', async (c) => {
    const { id: callerId, version } = c.req.param();
    if (!isCanonicalUrl(c, `/api/images/callers/${callerId}/${version}`)) return c.notFound();
    return answerImage(c, await c.var.services.images.callerPicture({ callerId, version }));
  })
  .get('/images/calls/:id', async (c) => {
    const id = c.req.param('id');
    if (!isCanonicalUrl(c, `/api/images/calls/${id}`)) return c.notFound();
    return answerImage(c, await c.var.services.images.endedCallIcon(id));
  })
  .get('/images/active-calls/:id', identifyViewer, async (c) => {
    const request = { callId: c.req.param('id'), viewerId: c.var.viewerId };
    return answerImage(c, await c.var.services.images.activeCallIcon(request));
  })
  .get('/images/me/:version', requireUser, async (c) => {
    const request = { userId: c.var.userId, version: c.req.param('version') };
    return answerImage(c, await c.var.services.images.ownPicture(request));
  })
  .get('/images/tokens/:sealed', requireUser, async (c) => {
    const request = { userId: c.var.userId, sealed: c.req.param('sealed') };
    return answerImage(c, await c.var.services.images.tokenIcon(request));
  });

function answerImage(c: Context, { type, bytes }: Image) {
  return c.body(bytes, 200, { 'Content-Type': type });
}
