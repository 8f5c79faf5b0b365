const TIMEOUT_MS = 60_000;
const HTTP_TOO_MANY_REQUESTS = 429;
const MAX_WAITS = 5;
const MAX_WAIT_SECONDS = 60;

/**
 * Fetches without credentials. After a 429, it waits as long as Retry-After says, or else a second and then twice as
 * long each time. It waits at most five times, and at most a minute each time.
 */
export async function fetchPatiently(
  url: string | URL,
  init: RequestInit = {},
  waits = 0,
): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...init, credentials: 'omit', signal });
  if (response.status !== HTTP_TOO_MANY_REQUESTS || waits === MAX_WAITS) return response;
  const asked = Number(response.headers.get('Retry-After'));
  const seconds = Math.min(asked > 0 ? asked : 2 ** waits, MAX_WAIT_SECONDS);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return fetchPatiently(url, init, waits + 1);
}
