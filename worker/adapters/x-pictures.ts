import { SECOND_MS } from '#schema/constants.ts';
import type { PictureAnswer, PictureSource } from '../ports/picture-source.ts';
import { readPicture } from './picture-file.ts';

/** Limit for the whole download, because a viewer is waiting for the image that contains the picture. */
export const PICTURE_TIMEOUT_MS = 2 * SECOND_MS;
export const PICTURE_MAX_BYTES = 512 * 1024;

const FAILED: PictureAnswer = { outcome: 'failed' };

/** Fetches profile pictures only from `baseUrl`, because the stored URL is external input. */
export function createXPictures({ baseUrl }: { baseUrl: string }): PictureSource {
  return {
    async fetch(url) {
      if (url === null || !isWithin(url, baseUrl)) return { outcome: 'none' };
      try {
        // Follow no redirect, because it could lead anywhere.
        const response = await fetch(url, {
          redirect: 'manual',
          signal: AbortSignal.timeout(PICTURE_TIMEOUT_MS),
        });
        const bytes =
          response.status === 200 ? await readAtMost(response, PICTURE_MAX_BYTES) : await discard(response);
        const picture = bytes === null ? null : readPicture(bytes);
        return picture === null ? FAILED : { outcome: 'picture', picture };
      } catch {
        return FAILED;
      }
    },
  };
}

/** Checks both the raw URL and the parsed one, because `..` could leave the folder. */
function isWithin(url: string, baseUrl: string): boolean {
  const folder = `${baseUrl}/`;
  return url.startsWith(folder) && URL.canParse(url) && new URL(url).href.startsWith(new URL(folder).href);
}

/**
 * Reads the body and counts its bytes, because Content-Length may be wrong. `null` for more than
 * `maxBytes`.
 */
async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null || Number(response.headers.get('Content-Length')) > maxBytes) {
    return discard(response);
  }
  const whole = new Uint8Array(maxBytes);
  let length = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    // Leaving the loop by `return` cancels the stream.
    if (length + chunk.length > maxBytes) return null;
    whole.set(chunk, length);
    length += chunk.length;
  }
  return whole.slice(0, length);
}

/** Cancels the body, because an unread body keeps its connection open. */
async function discard(response: Response): Promise<null> {
  await response.body?.cancel();
  return null;
}
