import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { MAX_BODY_BYTES, MAX_SHARE_BODY_BYTES, MAX_TELEGRAM_UPDATE_BYTES } from '#schema/constants.ts';
import { AppError } from './errors.ts';

/** The one request that carries an image. */
const SHARE_PATH = '/api/twitter-post';
/** What Telegram posts. */
const WEBHOOK_PATH = '/api/telegram/webhook';

/** How much is read of a body that nobody wants. */
export const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

const upTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError({
        code: 'request.too_large',
        message: `A request is at most ${Math.floor(maxSize / 1024)} KB.`,
      });
    },
  });

const ordinary = upTo(MAX_BODY_BYTES);
const larger = new Map([
  [SHARE_PATH, upTo(MAX_SHARE_BODY_BYTES)],
  [WEBHOOK_PATH, upTo(MAX_TELEGRAM_UPDATE_BYTES)],
]);

/**
 * Refuses bodies that are larger than their route needs. What nobody has read by the time of the answer is read then, up to a
 * limit: a connection that ends in the middle of a body takes the answer with it, and nobody sees the refusal.
 */
export const limitBody = createMiddleware(async (c, next) => {
  try {
    return await (larger.get(c.req.path) ?? ordinary)(c, next);
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
    // Who hangs up reads no answer either.
  }
}
