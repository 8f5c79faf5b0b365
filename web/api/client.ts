import type { ClientResponse, hc } from 'hono/client';
import type { Dashboard } from '#schema/contracts/dashboard.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { AppType } from '#worker/app/app.ts';
import { ConnectionError, INTERCEPTED_MESSAGE, isSignedOut, toApiError } from './api-error.ts';
import { fetchWithin, reportFailure, reportResponse } from './connection.ts';

const HTTP_ACCEPTED = 202;
const HTTP_SERVER_ERROR = 500;
/** Timeout of reads. Writes have none, because the server may have made the change. */
const READ_TIMEOUT_MS = 20 * SECOND_MS;

/** After this long, the dashboard's first data are too old for a part of the page that asks for them late. */
const DASHBOARD_KEPT_MS = 5 * SECOND_MS;

const signedOutListeners = new Set<() => void>();

export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/**
 * The API client: `client.api.callers[':id'].$get({ param: { id } })`, as Hono's `hc` in a quarter of its size. Wrap its
 * requests in `read` or `send`, which throw errors.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The proxy has every route.
export const client = requestsBelow('') as ReturnType<typeof hc<AppType>>;

let hydration: Promise<void> | undefined;

/** Delays responses until the page is hydrated, so that no query changes meanwhile. */
export function holdResponsesUntil(end: Promise<void>): void {
  hydration = end;
}

export const hydrated = async (): Promise<void> => hydration;

async function fetchFromApi(url: string, init: RequestInit): Promise<Response> {
  try {
    const response =
      init.method === 'GET'
        ? ((await takeFromDashboard(url)) ?? (await fetchFresh(url, init)))
        : await fetch(url, init).finally(forgetDashboard);
    if (response.status >= HTTP_SERVER_ERROR) reportFailure();
    else reportResponse();
    await hydration;
    return response;
  } catch (cause) {
    reportFailure();
    throw new ConnectionError(cause);
  }
}

const fetchFresh = (url: string, init: RequestInit) =>
  fetchIfChanged(url, init, (options) => fetchWithin(READ_TIMEOUT_MS, url, options));

let dashboard: Promise<Dashboard> | undefined;

/** Fetches what the dashboard shows at first. Until it's there, all reads wait for it; then each of its parts is used once. */
export function fetchDashboard(): void {
  const fetched = readDashboard().catch(() => ({}));
  dashboard = fetched;
  setTimeout(() => dashboard === fetched && forgetDashboard(), DASHBOARD_KEPT_MS);
}

async function readDashboard(): Promise<Dashboard> {
  const response = await fetchFresh('/api/dashboard', initOf('GET', {}));
  return response.ok ? response.json() : {};
}

/** After a change, parts that nobody has asked for yet may be too old. */
export function forgetDashboard(): void {
  dashboard = undefined;
}

async function takeFromDashboard(url: string): Promise<Response | null> {
  const parts = await dashboard;
  const part = parts?.[url];
  if (parts === undefined || part === undefined) return null;
  delete parts[url];
  return Response.json(part.body, { headers: part.link === null ? {} : { Link: part.link } });
}

type SuccessBody<Value> =
  Value extends ClientResponse<infer Body, infer Status>
    ? Status extends 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504
      ? never
      : Body
    : never;

/**
 * @throws {ApiError} for a non-OK response
 * @throws {ConnectionError} without a response
 * @throws {Error} for an HTML response
 */
export async function send<Value extends Pick<Response, 'ok' | 'headers' | 'status' | 'statusText' | 'text'>>(
  request: Promise<Value>,
): Promise<Value> {
  const response = await request;
  if (!response.ok) {
    const error = await toApiError(response);
    if (isSignedOut(error)) for (const listener of signedOutListeners) listener();
    throw error;
  }
  if (response.headers.get('Content-Type')?.includes('text/html')) throw new Error(INTERCEPTED_MESSAGE);
  return response;
}

export async function read<Value extends ClientResponse<unknown, number>>(
  request: Promise<Value>,
): Promise<SuccessBody<Value>> {
  const response = await send(request);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `send` throws for other statuses.
  return (await response.json()) as SuccessBody<Value>;
}

/** True for a 202, "try again later", which the typed client doesn't know. */
export function isPending({ status }: { readonly status: number }): boolean {
  return status === HTTP_ACCEPTED;
}

interface RequestParts {
  readonly param?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
}

function requestsBelow(path: string): unknown {
  return new Proxy(
    {},
    {
      get(_target, name) {
        const part = String(name);
        if (!part.startsWith('$')) return requestsBelow(`${path}/${part}`);
        const method = part.slice(1).toUpperCase();
        return (parts: RequestParts = {}) => fetchFromApi(urlOf(path, parts), initOf(method, parts));
      },
    },
  );
}

function urlOf(path: string, { param = {}, query = {} }: RequestParts): string {
  const filled = path.replace(/:(\w+)/g, (whole, name: string) => param[name] ?? whole);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  // The API redirects any other order.
  search.sort();
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function initOf(method: string, { json }: RequestParts): RequestInit {
  const init: RequestInit = { method, credentials: 'include' };
  if (json === undefined) return init;
  return { ...init, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) };
}

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
  const response = await send(
    last === undefined ? init : { ...init, headers: { 'If-None-Match': last.tag } },
  );
  if (response.status === HTTP_NOT_MODIFIED && last !== undefined) return last.response.clone();
  save(url, response);
  return response;
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
