import { Hono, type Context } from 'hono';
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
/** Routes of `/2/media`: an image is uploaded in one request. */
export function createMediaRoutes({ media }: { media: Media }): Hono<XEnv> {
  return new Hono<XEnv>().post('/upload', async (c) => {
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
    return respondWithMedium(c, media.store({ ownerId: c.get('person').xUserId, bytes }));
  });
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

function respondWithMedium(context: Context<XEnv>, medium: Medium | undefined): Response {
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
