import type { Context } from 'hono';
import { PRIVATE } from '../../../app/cache-control.ts';
import type { AppEnv } from '../../../app/context.ts';
import { routeOf } from '../../../app/route-of.ts';
import type { OtherQuery, RenderedPage } from '../../../ports/page-renderer.ts';
import { describeErrorWithStack } from '../../../shared/describe-error.ts';
import { writeHead } from './page-head.ts';
import type { Page } from './pages.service.ts';

const PERMANENT_REDIRECT = 308;
const FILE_HEADERS = ['Content-Length', 'ETag', 'Last-Modified', 'CF-Cache-Status'];

/**
 * Responds with the app's shell (index.html), the head of this page and, for a public page, its content. If the content
 * can't be rendered, the browser renders it. On another error it sends the unchanged shell with status 503. Then the
 * app shows the error in the browser, and crawlers don't drop the page from their index.
 */
export async function respondWithPage(
  c: Context<AppEnv>,
  findPage: () => Page | Promise<Page>,
): Promise<Response> {
  const shell = await c.env.ASSETS.fetch(new URL('/', c.req.url));
  if (!shell.ok) throw new Error(`The app's shell could not be read: status ${shell.status}`);
  try {
    const { status, isForEveryone, head, render } = await findPage();
    const content = render && (await renderOrLog(c, render));
    if (content && 'redirectTo' in content) return c.redirect(content.redirectTo, PERMANENT_REDIRECT);
    c.set('isRenderedPage', Boolean(content));
    const withHead = writeHead(shell, head);
    return respond(content ? writeContent(withHead, content) : withHead, status, isForEveryone);
  } catch (error) {
    log(c, 'page.failed', error);
    return respond(shell, 503, false);
  }
}

async function renderOrLog(
  c: Context<AppEnv>,
  render: () => Promise<RenderedPage | OtherQuery>,
): Promise<RenderedPage | OtherQuery | undefined> {
  try {
    return await render();
  } catch (error) {
    log(c, 'page.render_failed', error);
    return undefined;
  }
}

function log(c: Context<AppEnv>, event: string, error: unknown): void {
  c.set('pageError', error);
  console.error(JSON.stringify({ event, route: routeOf(c), error: describeErrorWithStack(error) }));
}

function respond(shell: Response, status: number, isForEveryone: boolean): Response {
  const headers = new Headers(shell.headers);
  for (const name of FILE_HEADERS) headers.delete(name);
  if (!isForEveryone) headers.set('Cache-Control', PRIVATE);
  return new Response(shell.body, { status, headers });
}

function writeContent(shell: Response, { html, data }: RenderedPage): Response {
  return new HTMLRewriter()
    .on('#root', {
      element: (root) => {
        root.setInnerContent(html, { html: true });
        root.after(`<script type="application/json" id="first-page">${data}</script>`, { html: true });
      },
    })
    .transform(shell);
}
