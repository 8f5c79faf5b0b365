import { SECOND_MS } from '#schema/constants.ts';

export const FETCH_TIMEOUT_MS = 5 * SECOND_MS;

/** Fetches with a timeout that includes the body. @throws after five seconds; an error status does not throw. */
export function fetchInTime(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
}

/** @throws after five seconds, and for a status other than 2xx or a body that isn't JSON */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetchInTime(url, init);
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  return response.json();
}
