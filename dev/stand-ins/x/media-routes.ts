import { Hono } from 'hono';
import { z } from 'zod';
import type { XEnv } from './x-env.ts';
import { MAX_IMAGE_BYTES, MEDIA_LIFETIME_SECONDS, type Media } from './media.ts';
import { invalidRequest, problem } from './problems.ts';

/** X's `MediaUploadRequest`, which allows no other field. */
const uploadBody = z.strictObject({
  media: z.base64('The `media` field is required.'),
  media_category: z.literal('tweet_image', 'The `media_category` is not one of [tweet_image]'),
  additional_owners: z.string().optional(),
});
const NO_IMAGE = 'The media is not a picture that can be used.';

/** Routes of `/2/media`: an image is uploaded in one JSON request. */
export function createMediaRoutes({ media }: { media: Media }): Hono<XEnv> {
  return new Hono<XEnv>().post('/upload', async (c) => {
    const parsed = uploadBody.safeParse(await c.req.json().catch(() => ({})));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const parameter = String(issue?.path[0] ?? 'body');
      return invalidRequest(c, { parameter, value: '', message: issue?.message ?? '' });
    }
    const bytes = Buffer.from(parsed.data.media, 'base64');
    if (bytes.length > MAX_IMAGE_BYTES) {
      return problem(c, { status: 413, detail: 'Request Entity Too Large' });
    }
    const medium = media.store({ ownerId: c.get('person').xUserId, bytes });
    if (medium === undefined) {
      return invalidRequest(c, { parameter: 'media', value: '', message: NO_IMAGE });
    }
    const { id } = medium;
    return c.json({
      data: { id, media_key: `3_${id}`, size: bytes.length, expires_after_secs: MEDIA_LIFETIME_SECONDS },
    });
  });
}
