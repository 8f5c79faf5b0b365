import { Hono, type Context } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { SHELL } from '../../../app/cache-control.ts';
import { PAGE_PATHS, withSlash } from '../../../app/page-paths.ts';
import { route } from '../../../app/route.ts';
import { findViewer } from '../../../app/session.ts';
import type { PageRequest } from './pages.service.ts';
import { respondWithPage } from './respond-with-page.ts';

/** Returns path and query, including a trailing question mark, because it's part of a shared cache's key. */
function hrefOf(url: string): string {
  const { href, origin } = new URL(url);
  return href.slice(origin.length);
}

const requestOf = (c: Context<AppEnv>): PageRequest => ({
  href: hrefOf(c.req.url),
  findViewer: () => findViewer(c),
});

const page = () => route({ limit: 'reads', cache: SHELL, replica: true });

export const pagesRoutes = new Hono<AppEnv>()
  .on('GET', withSlash('/caller/:usernameOrId'), page(), (c) =>
    respondWithPage(c, () =>
      c.var.services.pages.caller({ usernameOrId: c.req.param('usernameOrId'), href: hrefOf(c.req.url) }),
    ),
  )
  .on('GET', withSlash('/call/:id'), page(), (c) =>
    respondWithPage(c, () => c.var.services.pages.call({ id: c.req.param('id'), ...requestOf(c) })),
  );

pagesRoutes.on('GET', withSlash('/token/:mint'), page(), (c) =>
  respondWithPage(c, () => c.var.services.pages.token({ mint: c.req.param('mint'), ...requestOf(c) })),
);

for (const path of PAGE_PATHS) {
  pagesRoutes.on('GET', withSlash(path), page(), (c) =>
    respondWithPage(c, () => c.var.services.pages.fixed({ path, href: hrefOf(c.req.url) })),
  );
}
