import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { XEnv } from './x-env.ts';
import { MAX_IMAGE_BYTES, MEDIA_LIFETIME_SECONDS, type Media, type Medium } from './media.ts';
import { invalidRequest, problem } from './problems.ts';

const categories = [
  'tweet_image',
  'tweet_gif',
  'tweet_video',
  'dm_image',
  'dm_gif',
  'dm_video',
  'subtitles',
  'amplify_video',
];
const beginBody = z.object({
  media_type: z.string(),
  total_bytes: z.int().positive(),
  media_category: z.string().optional(),
});

/** Routes of `/2/media`: upload a picture in one request, or initialize, append and finalize. */
export function createMediaRoutes({ media }: { media: Media }): Hono<XEnv> {
  return new Hono<XEnv>()
    .post('/upload', async (c) => {
      const { bytes, fields } = await readParts(c);
      const category = fields.get('media_category') ?? '';
      if (!categories.includes(category)) {
        return invalidRequest(c, {
          parameter: 'media_category',
          value: category,
          message: `The \`media_category\` is not one of [${categories.join(',')}]`,
        });
      }
      if (bytes === undefined) {
        return invalidRequest(c, {
          parameter: 'media',
          value: '',
          message: 'The `media` field is required.',
        });
      }
      if (bytes.length > MAX_IMAGE_BYTES) {
        return problem(c, { status: 413, detail: 'Request Entity Too Large' });
      }
      return answerMedium(c, media.store({ ownerId: c.get('person').xUserId, bytes }));
    })
    .post('/upload/initialize', async (c) => {
      const parsed = beginBody.safeParse(await c.req.json().catch(() => undefined));
      if (!parsed.success) {
        return invalidRequest(c, { parameter: 'body', value: '', message: z.prettifyError(parsed.error) });
      }
      const { media_type: type, total_bytes: totalBytes } = parsed.data;
      if (totalBytes > MAX_IMAGE_BYTES) {
        return problem(c, { status: 413, detail: 'Request Entity Too Large' });
      }
      const id = media.begin({ ownerId: c.get('person').xUserId, type, totalBytes });
      return c.json({ data: { id, media_key: `3_${id}`, expires_after_secs: MEDIA_LIFETIME_SECONDS } });
    })
    .post('/upload/:id/append', async (c) => {
      const { bytes, fields } = await readParts(c);
      const index = Number(fields.get('segment_index') ?? Number.NaN);
      if (bytes === undefined || !Number.isInteger(index)) {
        return invalidRequest(c, {
          parameter: 'segment_index',
          value: String(index),
          message: 'The `segment_index` and `media` fields are required.',
        });
      }
      const id = c.req.param('id');
      const isKnown = media.append({ id, ownerId: c.get('person').xUserId, index, bytes });
      if (!isKnown) {
        return invalidRequest(c, { parameter: 'id', value: id, message: 'The media id is invalid.' });
      }
      return c.json({ data: { expires_at: MEDIA_LIFETIME_SECONDS } });
    })
    .post('/upload/:id/finalize', (c) =>
      answerMedium(c, media.finish({ id: c.req.param('id'), ownerId: c.get('person').xUserId })),
    );
}

/** Reads an upload as multipart (raw bytes) or JSON (base64), as X does. */
async function readParts(
  context: Context<XEnv>,
): Promise<{ bytes: Uint8Array | undefined; fields: Map<string, string> }> {
  const isJson = context.req.header('content-type')?.startsWith('application/json') === true;
  const body: unknown = await (isJson ? context.req.json() : context.req.parseBody()).catch(() => ({}));
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const fields = new Map(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
  const part: unknown = entries.find(([name]) => name === 'media')?.[1];
  if (part instanceof File) return { bytes: new Uint8Array(await part.arrayBuffer()), fields };
  if (typeof part === 'string') return { bytes: new Uint8Array(Buffer.from(part, 'base64')), fields };
  return { bytes: undefined, fields };
}

function answerMedium(context: Context<XEnv>, medium: Medium | undefined): Response {
  if (medium === undefined) {
    return invalidRequest(context, {
      parameter: 'media',
      value: '',
      message: 'The media is not a picture that can be used.',
    });
  }
  const { id, bytes } = medium;
  return context.json({
    data: { id, media_key: `3_${id}`, size: bytes.length, expires_after_secs: MEDIA_LIFETIME_SECONDS },
  });
}
