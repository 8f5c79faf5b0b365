import { createSharedCache } from '#dev/stand-ins/cache/shared-cache.ts';
import {
  checkShown,
  checkTexts,
  refusalOf,
  textOf,
  TOKEN_FIELDS,
  type AccessReport,
} from './access-checks.ts';
import { ACCESS_RULES } from './access-rules.ts';
import { KEY_OWNERS, VIEWERS, type AccessEnvironment, type Viewer } from './access-environment.ts';

const PERMANENT_REDIRECT = 308;

/** Viewers with access come first, so that a leak would store their responses in the cache. */
const ENTITLED_FIRST: readonly Viewer[] = [
  'owner',
  'subscriber',
  'free follower',
  ...VIEWERS.filter((viewer) => !['owner', 'subscriber', 'free follower'].includes(viewer)),
];

export interface CachedAccessOptions {
  readonly environment: AccessEnvironment;
  /** Changes the product's responses before the cache gets them, to simulate a missing check. */
  readonly change?: (response: Response) => Response;
}

export interface CachedAccessReport extends AccessReport {
  readonly requests: number;
  /** The number of requests that the cache served. */
  readonly hits: number;
}

/**
 * Requests every route through a shared cache, first as the viewers with access, then as all others. Reports a response
 * with data that its viewer may not see or without the data that they may see, and a response from the cache that isn't
 * public or sets a cookie.
 */
export async function checkAccessThroughCache({
  environment,
  change = (response) => response,
}: CachedAccessOptions): Promise<CachedAccessReport> {
  const leaks: string[] = [];
  const counts = { checks: 0, requests: 0, hits: 0 };
  const expect = (hasPassed: boolean, leak: string) => {
    counts.checks += 1;
    if (!hasPassed) leaks.push(leak);
  };
  const request = createCachedRequest({ environment, change });
  for (const [route, rule] of Object.entries(ACCESS_RULES)) {
    if (!route.startsWith('GET ')) continue;
    const shown = new Map<Viewer, string>();
    for (const { path, namesToken = false } of rule.requests(environment.subject)) {
      for (const viewer of ENTITLED_FIRST) {
        if (rule.isSignOut && environment.credentials[viewer].Cookie !== undefined) continue;
        const response = await request(path, viewer);
        const where = `${viewer}: ${route} (${path}) through the cache`;
        const refusal = refusalOf(rule, viewer);
        expect(refusal === null || response.status === refusal, `${where} responded ${response.status}`);
        const isHit = response.headers.get('Cf-Cache-Status') !== 'BYPASS';
        counts.requests += 1;
        counts.hits += isHit ? 1 : 0;
        expect(
          !isHit || !(viewer in KEY_OWNERS),
          `${where} came from the cache, but was requested with a key`,
        );
        expect(!isHit || isShareable(response), `${where} is stored, but private`);
        expect(!isHit || !namesToken, `${where} is stored, but names a hidden token`);
        const ignored = namesToken ? TOKEN_FIELDS : [];
        const text = await textOf(response);
        checkTexts({ environment, expect }, { viewer, where, text, ignored });
        if (!namesToken) shown.set(viewer, `${shown.get(viewer) ?? ''} ${text}`);
      }
    }
    for (const [viewer, text] of shown) {
      checkShown({ environment, expect }, { route, viewer, rule, text });
    }
  }
  return { ...counts, leaks };
}

function isShareable({ headers }: Response): boolean {
  return headers.get('Cache-Control')?.startsWith('public') === true && !headers.has('Set-Cookie');
}

/** Sends a GET with a viewer's cookies. Follows redirects to the canonical query, as a browser would. */
function createCachedRequest({ environment, change }: Required<CachedAccessOptions>) {
  const fetch = createSharedCache({
    now: () => environment.app.clock.now(),
    async origin({ url, headers }) {
      const { pathname, search } = new URL(url);
      const sent = [...headers].filter(([name]) => name === 'cookie' || name === 'authorization');
      const init = { isFollowing: false, headers: Object.fromEntries(sent) };
      return change(await environment.app.request(`${pathname}${search}`, init));
    },
  });
  return async function request(path: string, viewer: Viewer): Promise<Response> {
    const headers = environment.credentials[viewer];
    const response = await fetch(new Request(`https://solcallers.test${path}`, { headers }));
    if (response.status !== PERMANENT_REDIRECT) return response;
    return request(response.headers.get('Location') ?? '', viewer);
  };
}
