import { vi } from 'vitest';

/** Responses by 'METHOD path'. A function is called for each request, with its body and query. A Response is sent unchanged. */
export type FakeRoutes = Record<string, unknown>;

export interface ApiCall {
  readonly route: string;
  /** The query string with its question mark; absent if empty. */
  readonly search?: string;
  readonly body: unknown;
}

/** Responses to requests that many pages make. If a test doesn't have their routes, they aren't listed. */
const UNLISTED: FakeRoutes = {
  'GET /api/prices/sol': { sol: null },
  'GET /api/status': { pauses: [], outages: [] },
  'GET /api/paper-follows': [],
  'GET /api/dashboard': {},
};
/** Route of the page views that every page reports. */
const PAGE_VIEW = 'POST /api/events/page-view';

/** Replaces `fetch` and returns the list of requests. A request without a route throws. */
export function stubApi(routes: FakeRoutes): ApiCall[] {
  const calls: ApiCall[] = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const { pathname, search } = new URL(
      String(input instanceof Request ? input.url : input),
      'http://localhost',
    );
    const route = `${init?.method ?? 'GET'} ${pathname}`;
    if (route in UNLISTED && !(route in routes)) return Response.json(UNLISTED[route]);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    calls.push({ route, ...(search === '' ? {} : { search }), body });
    if (route === PAGE_VIEW && !(route in routes)) return Response.json({});
    if (!(route in routes)) throw new Error(`No answer for ${route}`);
    const response = routes[route];
    const value: unknown =
      typeof response === 'function'
        ? await (response as (body: unknown, query: URLSearchParams) => unknown)(
            body,
            new URLSearchParams(search),
          )
        : response;
    return value instanceof Response ? value : Response.json(value);
  });
  return calls;
}

/** Responds with the next of these pages to each request. Each but the last has a link to the next one. */
export function inPages(...pages: readonly unknown[]): () => Response {
  let given = 0;
  return () => {
    const page = pages[given++];
    if (page instanceof Response) return page;
    const link = { Link: `</api/list?cursor=page%2F${given + 1}>; rel="next"` };
    return Response.json(page, { headers: given < pages.length ? link : {} });
  };
}

/** The API's response to requests of signed-out visitors. */
export const signedOut = () => refuse(401, 'auth.required', 'Please sign in.');

/** Rows for `it.each`: how a request fails, the response, and what is shown: the server's reason or this text. */
export const failures = (code: string, fallback: string) =>
  [
    ['the server’s reason', () => refuse(409, code, 'The server says why.'), 'The server says why.'],
    ['the fallback text', () => new Response('', { status: 503 }), fallback],
  ] as const;

/** Creates an error response of the API. */
export function refuse(
  status: number,
  code: string,
  message: string,
  details: Record<string, unknown> = {},
): Response {
  return Response.json({ message, error: { ...details, code, message } }, { status });
}
