import type { ClientResponse, hc } from 'hono/client';
import { SECOND_MS } from '#schema/constants.ts';
import type { AppType } from '#worker/app/app.ts';
import { ConnectionError, INTERCEPTED_MESSAGE, isSignedOut, toApiError } from './api-error.ts';
import { fetchIfChanged } from './conditional-fetch.ts';
import { fetchWithin, reportFailure, reportResponse } from './connection.ts';
import { createRequests } from './requests.ts';

const HTTP_ACCEPTED = 202;
const HTTP_SERVER_ERROR = 500;
/** Timeout of reads. Writes have none, because the server may have made the change. */
const READ_TIMEOUT_MS = 20 * SECOND_MS;

const signedOutListeners = new Set<() => void>();

/** Calls `listener` on every 401. Returns a function that removes the listener. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** The API client. Wrap its requests in `read` or `send`, which throw errors. */
export const client = createRequests(fetchFromApi) as ReturnType<typeof hc<AppType>>;

let hydration: Promise<void> | undefined;

/** Delays responses until the page is hydrated, so that no query changes meanwhile. */
export function holdResponsesUntil(timestamp: Promise<void>): void {
  hydration = timestamp;
}

/** @throws {ConnectionError} without a response */
async function fetchFromApi(url: string, init: RequestInit): Promise<Response> {
  const isRead = init.method === 'GET';
  try {
    const response = await (isRead ? readFromApi(url, init) : fetch(url, init));
    if (response.status >= HTTP_SERVER_ERROR) reportFailure();
    else reportResponse();
    await hydration;
    return response;
  } catch (cause) {
    reportFailure();
    throw new ConnectionError(cause);
  }
}

/** Sorts the query parameters, because the API redirects any other order. */
function readFromApi(url: string, init: RequestInit): Promise<Response> {
  const [path = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.sort();
  const sorted = parameters.size === 0 ? path : `${path}?${parameters}`;
  return fetchIfChanged(sorted, init, (options) => fetchWithin(READ_TIMEOUT_MS, sorted, options));
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
export async function send<Value extends Pick<Response, 'ok' | 'headers'>>(
  request: Promise<Value>,
): Promise<Value> {
  const response = await request;
  if (!response.ok) {
    const error = await toApiError(response as unknown as Response);
    if (isSignedOut(error)) for (const listener of signedOutListeners) listener();
    throw error;
  }
  if (response.headers.get('Content-Type')?.includes('text/html')) throw new Error(INTERCEPTED_MESSAGE);
  return response;
}

/** Returns the response's JSON. Throws the same errors as `send`. */
export async function read<Value extends ClientResponse<unknown, number>>(
  request: Promise<Value>,
): Promise<SuccessBody<Value>> {
  const response = await send(request);
  return (await response.json()) as SuccessBody<Value>;
}

/** True for a 202, "try again later", which the typed client doesn't know. */
export function isPending({ status }: { readonly status: number }): boolean {
  return status === HTTP_ACCEPTED;
}

/** Same as `read`, but returns `null` for a 401. */
export async function readUnlessSignedOut<Value extends ClientResponse<unknown, number>>(
  request: Promise<Value>,
): Promise<SuccessBody<Value> | null> {
  try {
    return await read(request);
  } catch (error) {
    if (isSignedOut(error)) return null;
    throw error;
  }
}
