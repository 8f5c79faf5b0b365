import { Hono } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { DOCUMENT } from '../../../app/cache-control.ts';
import { routeWith } from '../../../app/route.ts';
import { allowErrorPageStyles } from '../../../app/security-headers.ts';

const read = routeWith({ limit: 'reads', tag: 'Service' });

/** The documents are loaded on request, so that they don't slow down the worker's start. */
const loadDocument = async () => (await import('virtual:open-api-document')).default;

export const openApiRoutes = new Hono<AppEnv>()
  .get(
    '/openapi.json',
    read({ cache: DOCUMENT, summary: 'This document', response: { type: 'object' } }),
    async (c) => c.json(await loadDocument()),
  )
  .get(
    '/docs',
    read({ cache: DOCUMENT, summary: 'This document as a page', contentType: 'text/html' }),
    async (c) => {
      const { documentPage } = await import('./document-page.ts');
      allowErrorPageStyles(c);
      return c.html(documentPage(await loadDocument()));
    },
  )
  .get(
    '/docs/bot',
    read({ cache: DOCUMENT, summary: 'How to build a bot, as a page', contentType: 'text/html' }),
    async (c) => {
      const { botPage } = await import('./bot-page.ts');
      allowErrorPageStyles(c);
      return c.html(botPage(new URL(c.req.url).origin));
    },
  );
