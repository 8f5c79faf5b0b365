import { Hono } from 'hono';
import { LIST } from '../../../app/cache-control.ts';
import type { AppEnv } from '../../../app/context.ts';
import { nullOnErrorCode } from '../../../app/errors.ts';
import { route } from '../../../app/route.ts';
import { allowFrames } from '../../../app/security-headers.ts';
import { embedPage, embedPath } from './embed-page.ts';

const PERMANENT_REDIRECT = 308;

export const embedRoutes = new Hono<AppEnv>().get(
  '/embed/caller/:usernameOrId',
  route({
    limit: 'reads',
    cache: LIST,
    replica: true,
    tag: 'Sharing',
    summary: 'A caller’s card for an iframe on another site',
    contentType: 'text/html',
  }),
  async (c) => {
    const profile = c.var.services.callers.publicProfile(c.req.param('usernameOrId'));
    const caller = await nullOnErrorCode('callers.not_found', profile);
    if (caller === null) return c.notFound();
    const path = embedPath(caller);
    if (new URL(c.req.url).pathname !== path) return c.redirect(path, PERMANENT_REDIRECT);
    allowFrames(c);
    return c.html(embedPage(caller));
  },
);
