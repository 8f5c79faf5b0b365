import { hc, type ClientResponse } from 'hono/client';
import type { AppType } from '#worker/app/app.ts';
import { ApiError, INTERCEPTED_MESSAGE, toApiError } from './api-error.ts';

const HTTP_UNAUTHORIZED = 401;

const signedOutListeners = new Set<() => void>();

/** Calls back whenever an answer says that nobody is signed in (any more). Returns how to stop that. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** The API, typed by the worker's own routes. Cookies go along. Use it through `read` or `send`. */
export const client = hc<AppType>('/', { init: { credentials: 'include' } });

/** The successful bodies of an answer; errors are thrown, so they are no part of it. */
type SuccessBody<Answer> =
  Answer extends ClientResponse<infer Body, infer Status>
    ? Status extends 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504
      ? never
      : Body
    : never;

/**
 * Waits for an answer and refuses what is none of the API's.
 * @throws {ApiError} for a non-OK status; Error when a page of HTML came instead of data.
 */
export async function send<Answer extends Pick<Response, 'ok' | 'headers'>>(
  request: Promise<Answer>,
): Promise<Answer> {
  const response = await request;
  if (!response.ok) {
    const error = await toApiError(response as unknown as Response);
    if (error.status === HTTP_UNAUTHORIZED) for (const listener of signedOutListeners) listener();
    throw error;
  }
  if (response.headers.get('Content-Type')?.includes('text/html')) throw new Error(INTERCEPTED_MESSAGE);
  return response;
}

/** Waits for an answer and reads its JSON. Throws as `send` does. */
export async function read<Answer extends ClientResponse<unknown, number>>(
  request: Promise<Answer>,
): Promise<SuccessBody<Answer>> {
  const response = await send(request);
  return (await response.json()) as SuccessBody<Answer>;
}

/** Like `read`, but a 401 is `null`: for reads where being signed out is an answer. */
export async function readUnlessSignedOut<Answer extends ClientResponse<unknown, number>>(
  request: Promise<Answer>,
): Promise<SuccessBody<Answer> | null> {
  try {
    return await read(request);
  } catch (error) {
    if (error instanceof ApiError && error.status === HTTP_UNAUTHORIZED) return null;
    throw error;
  }
}
