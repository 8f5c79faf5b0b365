import { vi } from 'vitest';

/** For tests only: answers of the API by 'METHOD path'. A function is asked each time; a Response is sent as it is. */
export type FakeRoutes = Record<string, unknown>;

export interface ApiCall {
  readonly route: string;
  readonly body: unknown;
}

/** Stands in for the network. Returns the calls that were made; a route that is missing fails the test loudly. */
export function stubApi(routes: FakeRoutes): ApiCall[] {
  const calls: ApiCall[] = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const path = new URL(String(input instanceof Request ? input.url : input), 'http://localhost').pathname;
    const route = `${init?.method ?? 'GET'} ${path}`;
    calls.push({ route, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined });
    if (!(route in routes)) throw new Error(`No answer for ${route}`);
    const answer = routes[route];
    const value: unknown =
      typeof answer === 'function'
        ? await (answer as (call: unknown) => unknown)(calls.at(-1)?.body)
        : answer;
    return value instanceof Response ? value : Response.json(value);
  });
  return calls;
}

/** The one error body, as the API sends it. */
export function refuse(
  status: number,
  code: string,
  message: string,
  details: Record<string, unknown> = {},
): Response {
  return Response.json({ message, error: { ...details, code, message } }, { status });
}
