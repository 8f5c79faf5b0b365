import type { Dashboard } from '#schema/contracts/dashboard.ts';
import { SECOND_MS } from '#schema/constants/time.ts';

/** Later, a response that nobody has asked for is too old. */
const KEPT_MS = 5 * SECOND_MS;

interface Together {
  readonly urls: Set<string>;
  readonly parts: Promise<Dashboard['parts']>;
  readonly startedAt: number;
}

let latest: Together | undefined;

/** Repeats the request of the shown page, before all of its data is refetched. */
export const togetherState: { again: (() => void) | null } = { again: null };

/** Fetches the responses of these URLs in one request. The next request for each waits for it. */
export function fetchTogether(urls: readonly string[], request: () => Promise<Dashboard>): void {
  const parts = request().then(
    (dashboard) => dashboard.parts,
    () => ({}),
  );
  latest = { urls: new Set(urls), parts, startedAt: Date.now() };
}

/** After a change, responses that nobody has asked for yet may be too old. */
export function forgetResponses(): void {
  latest = undefined;
}

/** The response that was fetched together with others. Null if there is none: the caller then asks the route itself. */
export async function takeResponse(url: string): Promise<Response | null> {
  const isFresh = latest !== undefined && Date.now() - latest.startedAt <= KEPT_MS;
  if (!isFresh || !latest?.urls.delete(url)) return null;
  const part = (await latest.parts)[url];
  if (part === undefined) return null;
  const { etag, link, body } = part;
  return Response.json(body, {
    headers: {
      'Cache-Control': 'private, no-store',
      ...(etag && { ETag: etag }),
      ...(link && { Link: link }),
    },
  });
}
