import { Hono, type Context } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { AN_HOUR } from '../../../app/cache-control.ts';
import { routeWith } from '../../../app/route.ts';

const read = routeWith({ limit: 'reads', tag: 'Feeds' });

export const sitemapRoutes = new Hono<AppEnv>()
  .get(
    '/robots.txt',
    read({ cache: AN_HOUR, summary: 'Rules for crawlers', contentType: 'text/plain' }),
    (c) => c.text(c.var.services.sitemap.robots()),
  )
  .get(
    '/sitemap.xml',
    read({
      cache: AN_HOUR,
      replica: true,
      summary: 'The index of the sitemaps',
      contentType: 'application/xml',
    }),
    async (c) => (hasQuery(c) ? c.notFound() : respondWithXml(c, await c.var.services.sitemap.index())),
  )
  .get(
    '/:part{sitemap-[a-z0-9-]+\\.xml}',
    read({ cache: AN_HOUR, replica: true, summary: 'A sitemap', contentType: 'application/xml' }),
    async (c) => {
      const name = c.req.param('part').replace(/^sitemap-|\.xml$/g, '');
      const xml = hasQuery(c) ? null : await c.var.services.sitemap.part(name);
      return xml === null ? c.notFound() : respondWithXml(c, xml);
    },
  );

/**
 * Shared caches use the whole URL as their key, so anyone could make us read the same rows again with a new query.
 */
function hasQuery(c: Context): boolean {
  return new URL(c.req.url).search !== '';
}

function respondWithXml(c: Context, xml: string): Response {
  return c.body(xml, 200, { 'Content-Type': 'application/xml; charset=utf-8' });
}
