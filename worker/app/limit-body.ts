import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { MAX_BODY_BYTES, MAX_SHARE_BODY_BYTES, MAX_TELEGRAM_UPDATE_BYTES } from '#schema/constants.ts';
import { AppError } from './errors.ts';

/** The one request that carries an image. */
const SHARE_PATH = '/api/twitter-post';
/** What Telegram posts. */
const WEBHOOK_PATH = '/api/telegram/webhook';

const upTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError({ code: 'request.too_large', message: `A request is at most ${Math.floor(maxSize / 1024)} KB.` });
    },
  });

const ordinary = upTo(MAX_BODY_BYTES);
const larger = new Map([
  [SHARE_PATH, upTo(MAX_SHARE_BODY_BYTES)],
  [WEBHOOK_PATH, upTo(MAX_TELEGRAM_UPDATE_BYTES)],
]);

/** Refuses bodies that are larger than their route needs. */
export const limitBody = createMiddleware((c, next) => (larger.get(c.req.path) ?? ordinary)(c, next));
