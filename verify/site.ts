import { decode, readJson, type Bytes } from './bytes.ts';
import type { VerifyOptions } from './options.ts';
import { isAborted, Problem } from './report.ts';

type Get = VerifyOptions['get'];

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

/** Reads a response. @throws Problem if there is none, if its status is an error, if it breaks off or is too long */
export async function fetchBytes(get: Get, path: string, maxBytes = MAX_BYTES) {
  try {
    const response = await get(path);
    if (response.ok) return { bytes: await readBytes(response, maxBytes), headers: response.headers };
    const what = response.status === 404 ? 'doesn’t know' : 'couldn’t serve';
    throw new Problem('unavailable', `The site ${what} ${path} (status ${response.status}).`);
  } catch (error) {
    if (error instanceof Problem || isAborted(error)) throw error;
    throw new Problem('unavailable', `${path} can’t be reached (${String(error)}).`);
  }
}

export const fetchText = async (get: Get, path: string): Promise<string> =>
  decode((await fetchBytes(get, path)).bytes);

export interface Page {
  readonly value: unknown;
  readonly next: string | null;
  /** The header `Log-Size`: the log's size when the data was read. */
  readonly size: number;
}

const MAX_PAGES = 10_000;

/** @throws Problem if the size is missing, unless the response has none */
export async function fetchPage(get: Get, path: string, hasSize = true): Promise<Page> {
  const { bytes, headers } = await fetchBytes(get, path);
  const [, next = null] = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '') ?? [];
  const size = headers.get('Log-Size') ?? '';
  if (!hasSize || /^\d{1,9}$/.test(size)) return { value: readJson(decode(bytes)), next, size: Number(size) };
  throw new Problem('malformed', `${path} doesn’t name the log’s size.`);
}

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
