import { Hono, type Context } from 'hono';
import { etag } from 'hono/etag';
import type { AppEnv } from '../../../app/context.ts';
import { LIST } from '../../../app/cache-control.ts';
import { routeWith } from '../../../app/route.ts';
import { nullOnErrorCode } from '../../../app/errors.ts';
import { RECENT_CALLS_FEED } from './feed-paths.ts';

const PERMANENT_REDIRECT = 308;
const tag = etag({ weak: true });

const read = routeWith({ limit: 'reads', tag: 'Feeds' });

export const feedsRoutes = new Hono<AppEnv>()
  .get(
    RECENT_CALLS_FEED,
    read({ cache: LIST, replica: true, summary: 'Ended calls as RSS', contentType: 'application/rss+xml' }),
    tag,
    async (c) => respondWithRss(c, await c.var.services.feeds.recentCalls()),
  )
  .get(
    '/caller/:usernameOrId/feed.xml',
    read({
      cache: LIST,
      replica: true,
      summary: 'A caller’s ended calls as RSS',
      contentType: 'application/rss+xml',
    }),
    tag,
    async (c) => {
      const { feeds } = c.var.services;
      const feed = await nullOnErrorCode('callers.not_found', feeds.caller(c.req.param('usernameOrId')));
      if (feed === null) return c.notFound();
      const isCanonical = new URL(c.req.url).pathname === feed.path;
      return isCanonical ? respondWithRss(c, await feed.write()) : c.redirect(feed.path, PERMANENT_REDIRECT);
    },
  );

function respondWithRss(c: Context, xml: string): Response {
  return c.body(xml, 200, { 'Content-Type': 'application/rss+xml; charset=utf-8' });
}
