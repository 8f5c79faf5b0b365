import { readJson, type Bytes } from './bytes.ts';
import type { VerifyOptions } from './options.ts';
import { Problem } from './report.ts';

type Get = VerifyOptions['get'];

/** @throws Problem without a good response */
async function fetchFrom(get: Get, path: string): Promise<Response> {
  const response = await get(path).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new Problem('unavailable', `${path} can't be reached (${String(error)}).`);
  });
  if (response.ok) return response;
  throw new Problem('unavailable', `The response of ${path} has the status ${response.status}.`);
}

export const fetchText = async (get: Get, path: string): Promise<string> =>
  (await fetchFrom(get, path)).text();

export const fetchBytes = async (get: Get, path: string): Promise<Bytes> =>
  new Uint8Array(await (await fetchFrom(get, path)).arrayBuffer());

/** JSON of the site, the path of the next page, and the log's size when the data was read. */
export interface SiteResponse {
  readonly value: unknown;
  readonly next: string | null;
  readonly size: number;
}

export async function fetchPage(
  get: Get,
  path: string,
): Promise<Omit<SiteResponse, 'size'> & { header: string | null }> {
  const response = await fetchFrom(get, path);
  const [, next = null] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  return { value: readJson(await response.text()), next, header: response.headers.get('Log-Size') };
}

/** @throws Problem without the header `Log-Size` */
export async function fetchSite(get: Get, path: string): Promise<SiteResponse> {
  const { header, ...page } = await fetchPage(get, path);
  if (header !== null && /^\d{1,9}$/.test(header)) return { ...page, size: Number(header) };
  throw new Problem('malformed', `${path} doesn't name the log's size.`);
}
