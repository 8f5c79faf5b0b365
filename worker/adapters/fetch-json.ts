import { SECOND_MS } from '#schema/constants/time.ts';

export const FETCH_TIMEOUT_MS = 5 * SECOND_MS;

/**
 * Fetches with a timeout of five seconds, which includes reading the body. Doesn't throw for an error status.
 * @throws after the timeout
 */
export function fetchInTime(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
}

/** Fetches JSON. @throws after five seconds, for a status other than 2xx, or if the body isn't JSON */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetchInTime(url, init);
  if (!response.ok) throw new Error(`${new URL(url).host} responded ${response.status}`);
  return response.json();
}
