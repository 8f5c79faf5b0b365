const HTTP_OK = 200;
const HTTP_NOT_MODIFIED = 304;
const MAX_KEPT = 50;

interface Kept {
  readonly tag: string;
  readonly response: Response;
}

type Send = (init: RequestInit) => Promise<Response>;

const kept = new Map<string, Kept>();

/**
 * Sends a GET with the ETag of the last response from `url`. If nothing has changed, returns that last response
 * again. Browsers do this only for responses that they store, and they don't store private responses.
 */
export async function fetchIfChanged(url: string, init: RequestInit, send: Send): Promise<Response> {
  const last = kept.get(url);
  const response = await send(last === undefined ? init : withTag(init, last.tag));
  if (response.status === HTTP_NOT_MODIFIED && last !== undefined) return last.response.clone();
  keep(url, response);
  return response;
}

function withTag(init: RequestInit, tag: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('If-None-Match', tag);
  return { ...init, headers };
}

function keep(url: string, response: Response): void {
  kept.delete(url);
  const tag = response.headers.get('ETag');
  const isPrivate = response.headers.get('Cache-Control')?.includes('no-store') ?? false;
  if (response.status !== HTTP_OK || tag === null || !isPrivate) return;
  kept.set(url, { tag, response: response.clone() });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
