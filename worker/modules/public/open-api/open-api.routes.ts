import { Hono } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { DOCUMENT } from '../../../app/cache-control.ts';
import { routeWith } from '../../../app/route.ts';
import { allowErrorPageStyles } from '../../../app/security-headers.ts';

const read = routeWith({ limit: 'reads', tag: 'Service' });

/** The texts are loaded on request, so that they don't slow down the worker's start. */
export const openApiRoutes = new Hono<AppEnv>()
  .get(
    '/openapi.json',
    read({ cache: DOCUMENT, summary: 'This document', response: { type: 'object' } }),
    async (c) => {
      const { json } = await import('virtual:api-docs');
      return c.body(json, 200, { 'Content-Type': 'application/json' });
    },
  )
  .get(
    '/docs',
    read({ cache: DOCUMENT, summary: 'This document as a page', contentType: 'text/html' }),
    async (c) => {
      const { page } = await import('virtual:api-docs');
      allowErrorPageStyles(c);
      return c.html(page);
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
