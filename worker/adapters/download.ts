import { concatenate } from './bytes.ts';

export interface Download {
  readonly allow: (url: string) => string | null;
  readonly maxRedirects: number;
  readonly maxBytes: number;
  /** Limit for all redirects and the body together, in ms. */
  readonly timeoutMs: number;
}

/** Many hosts refuse requests without a User-Agent. */
const headers = { 'User-Agent': 'SolCallers' };
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Downloads a file from an untrusted URL. Checks each redirect like the first URL. Bypasses all caches, because a fast
 * response would reveal that another user has loaded the file.
 * @returns null for a refused URL, a status other than 200, too many redirects, a timeout, or a body over the limit
 */
export async function download(
  url: string,
  { allow, maxRedirects, maxBytes, timeoutMs }: Download,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  let target = allow(url);
  try {
    for (let redirects = 0; target !== null; redirects++) {
      const response = await fetch(target, { redirect: 'manual', cache: 'no-store', signal, headers });
      if (response.status === 200) return await readAtMost(response, maxBytes);
      await discard(response);
      const next = redirects < maxRedirects ? redirectOf(response, target) : null;
      target = next === null ? null : allow(next);
    }
    return null;
  } catch {
    return null;
  }
}

function redirectOf(response: Response, base: string): string | null {
  const location = response.headers.get('Location');
  if (!REDIRECTS.includes(response.status) || location === null) return null;
  return URL.parse(location, base)?.href ?? null;
}

/** Reads the body. Counts its bytes, because Content-Length may be wrong. `null` for more than `maxBytes`. */
export async function readAtMost(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null || Number(response.headers.get('Content-Length')) > maxBytes) {
    return discard(response);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: ReadableStream<Uint8Array> = response.body;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop by `return` cancels the stream.
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return concatenate(chunks);
}

/** Cancels the body, because an unread body keeps its connection open. */
async function discard(response: Response): Promise<null> {
  await response.body?.cancel();
  return null;
}
