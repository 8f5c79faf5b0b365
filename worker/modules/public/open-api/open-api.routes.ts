import { Hono } from 'hono';
import { DOCUMENT } from '../../../app/cache-control.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route } from '../../../app/route.ts';
import { allowErrorPageStyles } from '../../../app/security-headers.ts';
import type { OpenApiDocument } from './document-page.ts';

/** The document is loaded when somebody asks for it, so it doesn't slow down the worker's start. */
export const openApiRoutes = new Hono<AppEnv>()
  .get(
    '/openapi.json',
    route({
      limit: 'reads',
      cache: DOCUMENT,
      tag: 'Service',
      summary: 'This document',
      response: { type: 'object' },
    }),
    async (c) => c.json(await loadDocument()),
  )
  .get(
    '/docs',
    route({
      limit: 'reads',
      cache: DOCUMENT,
      tag: 'Service',
      summary: 'This document as a page',
      contentType: 'text/html',
    }),
    async (c) => {
      const [{ documentPage }, document] = await Promise.all([import('./document-page.ts'), loadDocument()]);
      allowErrorPageStyles(c);
      return c.html(documentPage(document));
    },
  );

async function loadDocument(): Promise<OpenApiDocument> {
  const { default: document } = await import('./document.gen.json');
  return document as unknown as OpenApiDocument;
}
