import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../../app/context.ts';
import { createAddressNotFoundError } from '../../app/errors.ts';
import { streamTexts } from '../../shared/stream-texts.ts';

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Shared caches use the whole URL as their key, so anyone could make us read the same rows again with a new query. */
const refuseQuery = createMiddleware<AppEnv>(async (c, next) => {
  if (new URL(c.req.url).search !== '') throw createAddressNotFoundError();
  await next();
});

/** The public log (docs/SEALED-CALLS.md). */
export const logRoutes = new Hono<AppEnv>()
  .get('/log/key', refuseQuery, (c) => c.body(`${c.var.services.log.verifierKey}\n`, 200, TEXT))
  .get('/log/checkpoint', refuseQuery, async (c) =>
    answerFile(c, await c.var.services.log.checkpoint(), TEXT),
  )
  .get('/log/anchors', refuseQuery, async (c) => c.json(await c.var.services.logAnchors.list()))
  .get('/log/tile/:path{.+}', refuseQuery, async (c) =>
    answerFile(c, await c.var.services.log.tile(c.req.param('path')), {
      'Content-Type': 'application/octet-stream',
    }),
  )
  .get('/log/callers/:callerId', refuseQuery, async (c) => {
    const texts = await c.var.services.logRecords.write(c.req.param('callerId'));
    return c.body(streamTexts(texts), 200, { 'Content-Type': 'application/json; charset=utf-8' });
  });

async function answerFile(
  c: Context,
  file: string | Blob | null,
  headers: Record<string, string>,
): Promise<Response> {
  if (file === null) throw createAddressNotFoundError();
  return c.body(typeof file === 'string' ? file : await file.arrayBuffer(), 200, headers);
}
