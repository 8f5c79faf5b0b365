import { SECOND_MS } from '#schema/constants.ts';
import type { PictureAnswer, PictureSource } from '../ports/picture-source.ts';
import { readPicture } from './picture-file.ts';

/** How long X has for a picture, its last byte included: somebody waits for the image that it is a part of. */
export const PICTURE_TIMEOUT_MS = 2 * SECOND_MS;
export const PICTURE_MAX_BYTES = 512 * 1024;

const FAILED: PictureAnswer = { outcome: 'failed' };

/** The pictures of X's accounts, from `baseUrl` and nowhere else: an account's picture is an address that X once told us. */
export function createXPictures({ baseUrl }: { baseUrl: string }): PictureSource {
  return {
    async fetch(url) {
      if (url === null || !isWithin(url, baseUrl)) return { outcome: 'none' };
      try {
        // A redirect could lead anywhere: it is an answer as bad as a 404.
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

/** As it is written and as it is understood: `..` leads out of a folder. */
function isWithin(url: string, baseUrl: string): boolean {
  const folder = `${baseUrl}/`;
  return url.startsWith(folder) && URL.canParse(url) && new URL(url).href.startsWith(new URL(folder).href);
}

/** A body of at most so many bytes, whatever its headers promise; `null` when there are more. */
async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null || Number(response.headers.get('Content-Length')) > maxBytes) {
    return discard(response);
  }
  const whole = new Uint8Array(maxBytes);
  let length = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    // Leaving the loop cancels the rest.
    if (length + chunk.length > maxBytes) return null;
    whole.set(chunk, length);
    length += chunk.length;
  }
  return whole.slice(0, length);
}

/** An answer that nobody reads keeps its connection until its body is let go. */
async function discard(response: Response): Promise<null> {
  await response.body?.cancel();
  return null;
}
