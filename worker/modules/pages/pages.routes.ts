import { Hono } from 'hono';
import type { AppEnv } from '../../app/context.ts';
import { PAGE_PATHS, withSlash } from '../../app/page-paths.ts';
import { findViewer } from '../../app/session.ts';
import { answerPage } from './answer-page.ts';

export const pagesRoutes = new Hono<AppEnv>()
  .on('GET', withSlash('/caller/:usernameOrId'), (c) =>
    answerPage(c, () => c.var.services.pages.caller(c.req.param('usernameOrId'))),
  )
  .on('GET', withSlash('/call/:id'), (c) =>
    answerPage(c, () =>
      c.var.services.pages.call({ id: c.req.param('id'), findViewer: () => findViewer(c) }),
    ),
  );

for (const path of PAGE_PATHS) {
  pagesRoutes.on('GET', withSlash(path), (c) => answerPage(c, () => c.var.services.pages.fixed(path)));
}
