import type { Context } from 'hono';
import { PRIVATE } from '../../app/cache-control.ts';
import type { AppEnv } from '../../app/context.ts';
import { routeOf } from '../../app/route-of.ts';
import { writeHead } from './page-head.ts';
import type { Page } from './pages.service.ts';
import { describeErrorWithStack } from '../../shared/describe-error.ts';

const FILE_HEADERS = ['Content-Length', 'ETag', 'Last-Modified', 'CF-Cache-Status'];

/**
 * Responds with the app's shell (index.html) and the head of this page. On an error it sends the unchanged
 * shell with status 503. Then the app shows the error in the browser, and crawlers keep the page that they
 * have indexed.
 */
export async function answerPage(
  c: Context<AppEnv>,
  findPage: () => Page | Promise<Page>,
): Promise<Response> {
  const shell = await c.env.ASSETS.fetch(new URL('/', c.req.url));
  if (!shell.ok) throw new Error(`The app's shell could not be read: status ${shell.status}`);
  try {
    const { status, isForEveryone, head } = await findPage();
    return respond(writeHead(shell, head), status, isForEveryone);
  } catch (error) {
    console.error(
      JSON.stringify({ event: 'page.failed', route: routeOf(c), error: describeErrorWithStack(error) }),
    );
    return respond(shell, 503, false);
  }
}

/** Keeps the shell's other headers, such as the security headers. */
function respond(shell: Response, status: number, isForEveryone: boolean): Response {
  const headers = new Headers(shell.headers);
  for (const name of FILE_HEADERS) headers.delete(name);
  if (!isForEveryone) headers.set('Cache-Control', PRIVATE);
  return new Response(shell.body, { status, headers });
}
