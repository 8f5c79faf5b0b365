const TIMEOUT_MS = 5_000;

/**
 * Fetches JSON from a third party within five seconds.
 * @throws when it does not answer in time, answers other than 2xx, or answers no JSON.
 */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  return response.json();
}
