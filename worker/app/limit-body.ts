import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { MAX_BODY_BYTES, MAX_SHARE_BODY_BYTES } from '#schema/constants.ts';
import { AppError } from './errors.ts';

/** The one request that carries an image. */
const SHARE_PATH = '/api/twitter-post';

const upTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError({ code: 'request.too_large', message: `A request is at most ${Math.floor(maxSize / 1024)} KB.` });
    },
  });

const ordinary = upTo(MAX_BODY_BYTES);
const share = upTo(MAX_SHARE_BODY_BYTES);

/** Refuses bodies that are larger than their route needs. */
export const limitBody = createMiddleware((c, next) => (c.req.path === SHARE_PATH ? share : ordinary)(c, next));
