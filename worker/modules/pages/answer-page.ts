import type { Context } from 'hono';
import { PRIVATE } from '../../app/cache-control.ts';
import type { AppEnv } from '../../app/context.ts';
import { writeHead } from './page-head.ts';
import type { Page } from './pages.service.ts';

/** What describes the shell's own bytes, and not those of a page made of it. */
const HEADERS_OF_THE_FILE = ['Content-Length', 'ETag', 'Last-Modified', 'CF-Cache-Status'];

/**
 * Answers with the app's shell under the head of a page. When that cannot be found out, with the shell as it is: the app
 * then says itself what is wrong, and the status tells crawlers to keep what they know.
 */
export async function answerPage(
  c: Context<AppEnv>,
  findPage: () => Page | Promise<Page>,
): Promise<Response> {
  const shell = await c.env.ASSETS.fetch(new URL('/', c.req.url));
  if (!shell.ok) throw new Error(`The shell answered ${shell.status}`);
  try {
    const { status, isForEveryone, head } = await findPage();
    return respond(writeHead(shell, head), { status, isForEveryone });
  } catch (error) {
    console.error(
      JSON.stringify({
        event: 'page.failed',
        path: c.req.path,
        error: error instanceof Error ? error.stack : String(error),
      }),
    );
    return respond(shell, { status: 503, isForEveryone: false });
  }
}

/** With the headers that come with every static page. */
function respond(
  shell: Response,
  { status, isForEveryone }: { status: number; isForEveryone: boolean },
): Response {
  const headers = new Headers(shell.headers);
  for (const name of HEADERS_OF_THE_FILE) headers.delete(name);
  // How long the others may be kept, the allow-list says.
  if (!isForEveryone) headers.set('Cache-Control', PRIVATE);
  return new Response(shell.body, { status, headers });
}
