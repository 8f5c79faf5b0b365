import { SECOND_MS } from '#schema/constants.ts';
import { INTERCEPTED_MESSAGE, noResponseReason, toApiError } from '#web/api/api-error.ts';
import { attempt, pageStorage } from '#web/lib/browser/page-storage.ts';
import { Problem } from '#verify/report.ts';
import { createSource, type Source, type Store } from '#verify/source.ts';

const TIMEOUT_MS = 20 * SECOND_MS;
const HTTP_TOO_MANY_REQUESTS = 429;
/** The check fails after this many waits for the rate limit. */
const MAX_WAITS = 10;
const STORE_KEY = 'solcallers.log';

/**
 * Stores the log's key and newest checkpoint in this browser, or only for one check if storage is blocked.
 */
export const logStore: Store = {
  read: () => attempt(() => pageStorage.getItem(STORE_KEY)) ?? null,
  write(text) {
    attempt(() => pageStorage.setItem(STORE_KEY, text));
  },
};

interface LogSourceOptions {
  readonly signal: AbortSignal;
  /** Collects the texts of the site's responses, by path. */
  readonly responses: Map<string, string>;
}

/** Fetches from this site. Throws the signal's reason once it's aborted. */
export function createLogSource({ signal, responses }: LogSourceOptions): Source {
  const get = async (path: string, waits = 0): Promise<Response> => {
    const isTile = path.startsWith('/log/tile/');
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // Revalidate responses other than tiles, because a cached one would lack newer entries.
    const response = await fetch(path, { signal: within, cache: isTile ? 'default' : 'no-cache' });
    if (response.status === HTTP_TOO_MANY_REQUESTS && waits < MAX_WAITS) {
      await pause(Number(response.headers.get('Retry-After') ?? 1) * SECOND_MS);
      signal.throwIfAborted();
      return get(path, waits + 1);
    }
    if (!response.ok) {
      const { status, reason } = await toApiError(response);
      throw new Problem('unavailable', reason ?? `The server answered ${status}.`);
    }
    if (response.headers.get('Content-Type')?.includes('text/html')) {
      throw new Problem('unavailable', INTERCEPTED_MESSAGE);
    }
    const body = await response.arrayBuffer();
    if (!isTile) responses.set(path, new TextDecoder().decode(body));
    return new Response(body);
  };
  return createSource(async (path) => {
    const response = await get(path).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error instanceof Problem ? error : new Problem('unavailable', noResponseReason());
    });
    signal.throwIfAborted();
    return response;
  });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
