import { Hono } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { isFromOwnPage } from '../../../app/cross-site.ts';
import { AppError, createTooManyRequestsError } from '../../../app/errors.ts';
import { networkOfVisitor } from '../../../app/network-of.ts';

export const liveRoutes = new Hono<AppEnv>().get(
  '/live',
  signedInRoutes('Account').write({
    summary: 'A WebSocket that says which data of the viewer may have changed',
    status: 101,
    errors: ['request.invalid', 'request.cross_site'],
  }),
  async (c) => {
    // A browser adds our session cookie to other sites' WebSockets, and always sends their origin.
    if (!isFromOwnPage(c)) throw new AppError({ code: 'request.cross_site' });
    if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') {
      throw new AppError({ code: 'request.invalid', message: 'This address is only for WebSockets.' });
    }
    const { userId, sessionId } = c.var;
    const { status, webSocket } = await c.var.services.live.join({
      userId,
      sessionId,
      address: networkOfVisitor(c),
    });
    if (webSocket === null) throw createTooManyRequestsError();
    return new Response(null, { status, webSocket });
  },
);
