import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { MAX_BODY_BYTES } from '#schema/constants/app.ts';
import { AppError } from './errors.ts';
import { metadataOf } from './route.ts';

export const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

const limitTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError({
        code: 'request.too_large',
        message: `This request is larger than ${Math.floor(maxSize / 1024)} KB. Shorten the text and try again.`,
      });
    },
  });

/**
 * Refuses bodies larger than their route needs. Reads and discards the rest of a refused body up to a limit, because
 * the client would miss the response if the connection closed earlier.
 */
export const limitBody = createMiddleware(async (c, next) => {
  try {
    return await limitTo(metadataOf(c)?.maxBodyBytes ?? MAX_BODY_BYTES)(c, next);
  } finally {
    await discard(c.req.raw);
  }
});

async function discard({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed || body.locked) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (let left = MAX_DISCARDED_BYTES; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.length;
    }
    await reader.cancel();
  } catch {
    // The client closed the connection.
  }
}
