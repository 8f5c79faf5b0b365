import { Hono, type Context } from 'hono';
import { AppError } from '../../app/errors.ts';
import { logTextsQuerySchema } from '#schema/contracts/log.ts';
import type { AppEnv } from '../../app/context.ts';
import { LIST, DOCUMENT } from '../../app/cache-control.ts';
import { respondWithRows } from '../../app/pages.ts';
import { route, routeWith } from '../../app/route.ts';
import { validate } from '../../app/validate.ts';

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

const read = routeWith({ limit: 'reads', tag: 'Log' });

export const logRoutes = new Hono<AppEnv>()
  .get(
    '/log/key',
    read({
      cache: DOCUMENT,
      summary: 'The key that verifies the log’s signatures',
      contentType: 'text/plain',
    }),
    (c) => c.body(`${c.var.services.log.verifierKey()}\n`, 200, TEXT),
  )
  .get(
    '/log/checkpoint',
    read({
      cache: 'public, max-age=5',
      replica: true,
      summary: 'The log’s newest checkpoint',
      contentType: 'text/plain',
      errors: ['request.not_found'],
    }),
    async (c) => respondWithFile(c, await c.var.services.log.checkpoint(), TEXT),
  )
  .get(
    '/log/tile/:path{.+}',
    route({
      limit: 'cheap',
      // Tiles and bundles never change, because their width is part of the path.
      cache: 'public, max-age=31536000, immutable',
      replica: true,
      tag: 'Log',
      summary: 'A tile of hashes, or a bundle of entries',
      contentType: 'application/octet-stream',
    }),
    async (c) =>
      respondWithFile(c, await c.var.services.log.tile(c.req.param('path')), {
        'Content-Type': 'application/octet-stream',
      }),
  )
  .get(
    '/log/texts/:callerId',
    read({
      cache: LIST,
      replica: true,
      summary: 'The public texts of a caller’s entries after a number',
      response: 'LogText[]',
      isPaged: true,
      errors: ['callers.not_found'],
    }),
    validate('query', logTextsQuerySchema),
    async (c) => {
      const { after } = c.req.valid('query');
      const page = await c.var.services.log.texts({ callerId: c.req.param('callerId'), after });
      return respondWithRows(c, page, 'after');
    },
  );

async function respondWithFile(
  c: Context,
  file: string | Blob | null,
  headers: Record<string, string>,
): Promise<Response> {
  if (file === null) throw new AppError({ code: 'request.not_found' });
  return c.body(typeof file === 'string' ? file : await file.arrayBuffer(), 200, headers);
}
