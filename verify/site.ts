import { decode, readJson, type Bytes } from './bytes.ts';
import type { VerifyOptions } from './options.ts';
import { Problem } from './report.ts';

type Get = VerifyOptions['get'];

/** Reads a response. @throws Problem if there is none, if its status is an error, or if it breaks off */
async function fetchFrom<Value>(
  get: Get,
  path: string,
  readBody: (response: Response) => Promise<Value>,
): Promise<Value> {
  let response: Response;
  try {
    response = await get(path);
    if (response.ok) return await readBody(response);
  } catch (error) {
    if (error instanceof Problem || (error instanceof Error && error.name === 'AbortError')) throw error;
    throw new Problem('unavailable', `${path} can’t be reached (${String(error)}).`);
  }
  throw new Problem('unavailable', `The response of ${path} has the status ${response.status}.`);
}

/** No response has more bytes, except for bundles. */
const MAX_BYTES = 16_000_000;

/** Reads a body piece by piece, because it may never end. @throws Problem if it's too long */
async function readBytes({ body }: Response, maxBytes: number): Promise<Bytes> {
  const reader = body?.getReader();
  const pieces: Bytes[] = [];
  let length = 0;
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    pieces.push(piece.value);
    length += piece.value.length;
    if (length <= maxBytes) continue;
    await reader?.cancel();
    throw new Problem('malformed', 'A response is longer than any can be.');
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

export const fetchBytes = (get: Get, path: string, maxBytes = MAX_BYTES): Promise<Bytes> =>
  fetchFrom(get, path, (response) => readBytes(response, maxBytes));

export const fetchText = async (get: Get, path: string): Promise<string> =>
  decode(await fetchBytes(get, path));

export interface Page {
  readonly value: unknown;
  readonly next: string | null;
  /** The header `Log-Size`: the log's size when the data was read. */
  readonly size: number;
}

const MAX_PAGES = 10_000;

/** @throws Problem if the size is missing, unless the response has none */
export const fetchPage = (get: Get, path: string, hasSize = true): Promise<Page> =>
  fetchFrom(get, path, async (response) => {
    const [, next = null] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
    const size = response.headers.get('Log-Size') ?? '';
    if (hasSize && !/^\d{1,9}$/.test(size)) {
      throw new Problem('malformed', `${path} doesn’t name the log’s size.`);
    }
    return { value: readJson(decode(await readBytes(response, MAX_BYTES))), next, size: Number(size) };
  });

/** Reads a page and all pages after it. @throws Problem if the pages never end, or lead elsewhere */
export async function fetchPages(get: Get, first: string, hasSize = true): Promise<Page[]> {
  const pages: Page[] = [];
  const read = new Set<string>();
  for (let path: string | null = first; path !== null;) {
    if (read.has(path) || read.size === MAX_PAGES || (!path.startsWith(`${first}?`) && path !== first)) {
      throw new Problem('malformed', `${path.slice(0, 200)} can’t be the next page of ${first}.`);
    }
    read.add(path);
    const page: Page = await fetchPage(get, path, hasSize);
    pages.push(page);
    path = page.next;
  }
  return pages;
}
