const HTTP_OK = 200;
const HTTP_NOT_MODIFIED = 304;
const MAX_KEPT = 50;

interface Saved {
  readonly tag: string;
  readonly response: Response;
}

type Send = (init: RequestInit) => Promise<Response>;

const saved = new Map<string, Saved>();

/**
 * Sends a GET with the ETag of the last response from `url`. If nothing has changed, returns that last
 * response again. Browsers do this only for responses that they store, and they don't store private
 * responses.
 */
export async function fetchIfChanged(url: string, init: RequestInit, send: Send): Promise<Response> {
  const last = saved.get(url);
  const response = await send(last === undefined ? init : withTag(init, last.tag));
  if (response.status === HTTP_NOT_MODIFIED && last !== undefined) return last.response.clone();
  save(url, response);
  return response;
}

function withTag(init: RequestInit, tag: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('If-None-Match', tag);
  return { ...init, headers };
}

function save(url: string, response: Response): void {
  saved.delete(url);
  const tag = response.headers.get('ETag');
  const isPrivate = response.headers.get('Cache-Control')?.includes('no-store') ?? false;
  if (response.status !== HTTP_OK || tag === null || !isPrivate) return;
  saved.set(url, { tag, response: response.clone() });
  const [oldest] = saved.keys();
  if (saved.size > MAX_KEPT && oldest !== undefined) saved.delete(oldest);
}
