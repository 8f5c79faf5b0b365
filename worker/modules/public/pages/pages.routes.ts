import { Hono } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { PAGE_PATHS, withSlash } from '../../../app/page-paths.ts';
import { findViewer } from '../../../app/session.ts';
import { answerPage } from './answer-page.ts';

/** Path and query. Keeps a question mark without a query, because it's part of a shared cache's key. */
function hrefOf(url: string): string {
  const { href, origin } = new URL(url);
  return href.slice(origin.length);
}

export const pagesRoutes = new Hono<AppEnv>()
  .on('GET', withSlash('/caller/:usernameOrId'), (c) =>
    answerPage(c, () =>
      c.var.services.pages.caller({ usernameOrId: c.req.param('usernameOrId'), href: hrefOf(c.req.url) }),
    ),
  )
  .on('GET', withSlash('/call/:id'), (c) =>
    answerPage(c, () =>
      c.var.services.pages.call({
        id: c.req.param('id'),
        href: hrefOf(c.req.url),
        findViewer: () => findViewer(c),
      }),
    ),
  );

pagesRoutes.on('GET', withSlash('/token/:mint'), (c) =>
  answerPage(c, () =>
    c.var.services.pages.token({
      mint: c.req.param('mint'),
      href: hrefOf(c.req.url),
      findViewer: () => findViewer(c),
    }),
  ),
);

for (const path of PAGE_PATHS) {
  pagesRoutes.on('GET', withSlash(path), (c) =>
    answerPage(c, () => c.var.services.pages.fixed({ path, href: hrefOf(c.req.url) })),
  );
}
