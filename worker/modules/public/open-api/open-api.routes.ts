import { Hono } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { DOCUMENT } from '../../../app/cache-control.ts';
import { routeWith, type DescribedRoute } from '../../../app/route.ts';
import { allowErrorPageStyles } from '../../../app/security-headers.ts';
import type { OpenApiDocument } from './document-page.ts';

const read = routeWith({ limit: 'reads', tag: 'Service' });

/** The document is composed on request, so that it doesn't slow down the worker's start. */
export function createOpenApiRoutes(listRoutes: () => readonly DescribedRoute[]) {
  let document: Promise<OpenApiDocument> | undefined;
  const readDocument = () => (document ??= loadDocument(listRoutes()));
  return new Hono<AppEnv>()
    .get(
      '/openapi.json',
      read({ cache: DOCUMENT, summary: 'This document', response: { type: 'object' } }),
      async (c) => c.json(await readDocument()),
    )
    .get(
      '/docs',
      read({ cache: DOCUMENT, summary: 'This document as a page', contentType: 'text/html' }),
      async (c) => {
        const [{ documentPage }, content] = await Promise.all([import('./document-page.ts'), readDocument()]);
        allowErrorPageStyles(c);
        return c.html(documentPage(content));
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
}

async function loadDocument(routes: readonly DescribedRoute[]): Promise<OpenApiDocument> {
  const [{ composeDocument }, { default: responseSchemas }] = await Promise.all([
    import('./compose-document.ts'),
    import('virtual:response-schemas'),
  ]);
  return composeDocument({ routes, responseSchemas }) as unknown as OpenApiDocument;
}
