import { readJson, type Bytes } from './bytes.ts';
import type { VerifyOptions } from './options.ts';
import { Problem } from './report.ts';

type Get = VerifyOptions['get'];

/** @throws Problem without a good response */
async function fetchFrom(get: Get, path: string): Promise<Response> {
  const response = await get(path).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new Problem('unavailable', `${path} can’t be reached (${String(error)}).`);
  });
  if (response.ok) return response;
  throw new Problem('unavailable', `The response of ${path} has the status ${response.status}.`);
}

export const fetchText = async (get: Get, path: string): Promise<string> =>
  (await fetchFrom(get, path)).text();

export const fetchBytes = async (get: Get, path: string): Promise<Bytes> =>
  new Uint8Array(await (await fetchFrom(get, path)).arrayBuffer());

export interface Page {
  readonly value: unknown;
  /** The path of the next page. */
  readonly next: string | null;
  /** The header `Log-Size`: the log's size when the data was read. */
  readonly size: number;
}

/** @throws Problem if the size is missing, unless the response has none */
export async function fetchPage(get: Get, path: string, hasSize = true): Promise<Page> {
  const response = await fetchFrom(get, path);
  const [, next = null] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  const size = response.headers.get('Log-Size') ?? '';
  if (hasSize && !/^\d{1,9}$/.test(size)) {
    throw new Problem('malformed', `${path} doesn’t name the log’s size.`);
  }
  return { value: readJson(await response.text()), next, size: Number(size) };
}
