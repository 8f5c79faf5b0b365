import CachePolicy from 'http-cache-semantics';

// Cloudflare's Workers Cache: https://developers.cloudflare.com/workers/cache/. The local runtime has none.

type Fetch = (request: Request) => Promise<Response>;

interface Entry {
  readonly policy: CachePolicy;
  readonly status: number;
  readonly body: ArrayBuffer;
}

/** Without a Cache-Control header, a 200 is stored for two hours. */
const DEFAULT_CACHE_CONTROL = 'max-age=7200';
const NOT_MODIFIED = 304;
/** Bounds the memory, because every query is a new entry. */
const MAX_ENTRIES = 1_000;
/** Cloudflare stores neither parts of a body nor its own error responses. */
const NEVER_STORED = new Set([206, 520, 521, 522, 523, 524, 525, 526]);
/** The cache ignores a browser's caching headers, and doesn't know which user sends a request. */
const IGNORED_REQUEST_HEADERS = ['cache-control', 'pragma', 'cookie', 'if-none-match', 'if-modified-since'];

export interface SharedCacheOptions {
  readonly origin: Fetch;
  /** Unix ms. */
  readonly now: () => number;
  readonly maxEntries?: number;
}

/**
 * Returns a `fetch` that stores responses of the origin as their Cache-Control allows. The key is the path and
 * query: cookies and the host are ignored. If several requests miss at the same time, they share one request to
 * the origin.
 */
export function createSharedCache({ origin, now, maxEntries = MAX_ENTRIES }: SharedCacheOptions): Fetch {
  class Policy extends CachePolicy {
    now() {
      return now();
    }
  }
  const entries = new Map<string, Entry>();
  const fills = new Map<string, Promise<Response | null>>();

  /** Sends a request to the origin. Returns the response if it may not be stored, else null. */
  const fill = async (key: string, request: Request): Promise<Response | null> => {
    const response = await origin(entries.has(key) ? unconditional(request) : asGet(request));
    const policy = new Policy(describeRequest(request), describeResponse(response));
    const isStorable =
      policy.storable() &&
      policy.timeToLive() > 0 &&
      !response.headers.has('Set-Cookie') &&
      !NEVER_STORED.has(response.status);
    if (!isStorable) {
      entries.delete(key);
      return response;
    }
    const body = await response.arrayBuffer();
    // The oldest entries come first.
    entries.delete(key);
    entries.set(key, { policy, status: response.status, body });
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break;
      entries.delete(oldest);
    }
    return null;
  };

  /** Sends a request to the origin, or joins a running one with the same key. */
  const fillOnce = async (key: string, request: Request): Promise<Response | null> => {
    const running = fills.get(key);
    if (running) return (await running) === null ? null : origin(request);
    const run = fill(key, request).finally(() => fills.delete(key));
    fills.set(key, run);
    return run;
  };

  const respondFrom = (key: string, request: Request, status: string): Response | null => {
    const entry = entries.get(key);
    return entry ? respond(entry, request, status) : null;
  };

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!isCacheable(request, pathname)) return withStatus(await origin(request), 'BYPASS');
    const key = `${pathname}${search}`;
    const { response, revalidation } =
      entries.get(key)?.policy.evaluateRequest(describeRequest(request)) ?? {};
    if (response && revalidation) void fillOnce(key, request).catch(() => undefined);
    const stored = response && respondFrom(key, request, revalidation ? 'UPDATING' : 'HIT');
    if (stored) return stored;
    const unstored = await fillOnce(key, request);
    return (
      (unstored ? withStatus(unstored, 'BYPASS') : respondFrom(key, request, 'MISS')) ??
      withStatus(await origin(request), 'BYPASS')
    );
  };
}

function isCacheable({ method, headers }: Request, pathname: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isOfRuntime = pathname.startsWith('/cdn-cgi/');
  return isRead && !isOfRuntime && !headers.has('Authorization') && !headers.has('Upgrade');
}

/** If nothing is stored yet, a HEAD becomes a GET, so that the whole response can be stored. */
function asGet({ url, headers }: Request): Request {
  return new Request(url, { headers, redirect: 'manual' });
}

/** Removes the conditions, so that a renewed entry gets a whole response instead of a 304. */
function unconditional(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('If-None-Match');
  headers.delete('If-Modified-Since');
  return new Request(request.url, { headers, redirect: 'manual' });
}

function describeRequest({ headers, url }: Request): CachePolicy.HttpRequest {
  const included = [...headers].filter(([name]) => !IGNORED_REQUEST_HEADERS.includes(name));
  return { url, method: 'GET', headers: Object.fromEntries(included) };
}

function describeResponse({ headers, status }: Response): CachePolicy.HttpResponse {
  const described = Object.fromEntries(headers);
  const implied = status === 200 ? { 'cache-control': DEFAULT_CACHE_CONTROL } : {};
  return { status, headers: { ...implied, ...described } };
}

function respond({ policy, status, body }: Entry, request: Request, cacheStatus: string): Response {
  const headers = new Headers(policy.responseHeaders() as Record<string, string>);
  headers.set('Cf-Cache-Status', cacheStatus);
  const tag = headers.get('ETag');
  const isUnchanged = tag !== null && tagsOf(request).includes(weak(tag));
  if (isUnchanged) return new Response(null, { status: NOT_MODIFIED, headers });
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

function tagsOf(request: Request): string[] {
  return (request.headers.get('If-None-Match') ?? '').split(',').map((tag) => weak(tag.trim()));
}

function weak(tag: string): string {
  return tag.replace(/^W\//, '');
}

function withStatus(response: Response, status: string): Response {
  const headers = new Headers(response.headers);
  headers.set('Cf-Cache-Status', status);
  return new Response(response.body, { status: response.status, headers });
}
