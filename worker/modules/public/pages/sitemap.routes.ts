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
    '/.well-known/security.txt',
    read({ cache: AN_HOUR, summary: 'Where to report security problems', contentType: 'text/plain' }),
    (c) => {
      const text = c.var.services.sitemap.securityTxt();
      return text === null ? c.notFound() : c.text(text);
    },
  )
  .get(
    '/sitemap.xml',
    read({
      cache: AN_HOUR,
      replica: true,
      summary: 'The index of the sitemaps',
      contentType: 'application/xml',
    }),
    async (c) => respondWithXml(c, await c.var.services.sitemap.index()),
  )
  .get(
    '/:part{sitemap-[a-z0-9-]+\\.xml}',
    read({ cache: AN_HOUR, replica: true, summary: 'A sitemap', contentType: 'application/xml' }),
    async (c) => {
      const name = c.req.param('part').replace(/^sitemap-|\.xml$/g, '');
      const xml = await c.var.services.sitemap.part(name);
      return xml === null ? c.notFound() : respondWithXml(c, xml);
    },
  );

function respondWithXml(c: Context, xml: string): Response {
  return c.body(xml, 200, { 'Content-Type': 'application/xml; charset=utf-8' });
}
