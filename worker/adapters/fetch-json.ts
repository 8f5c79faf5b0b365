import { SECOND_MS } from '#schema/constants.ts';

/** How long a third party may take to answer. */
export const FETCH_TIMEOUT_MS = 5 * SECOND_MS;

/** Fetches from a third party, whatever it answers. @throws when it does not answer within five seconds; its body has no longer either. */
export function fetchInTime(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
}

/**
 * Fetches JSON from a third party within five seconds.
 * @throws when it does not answer in time, answers other than 2xx, or answers no JSON.
 */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetchInTime(url, init);
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  return response.json();
}
