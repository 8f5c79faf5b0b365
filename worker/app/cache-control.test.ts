import { expect, it } from 'vitest';
import { MAX_FRESH_PRICE_AGE_MS, PUBLIC_PRICE_KEPT_MS } from '#schema/constants/prices.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { createPaidCaller, MINTS, makeEndedCall } from '#test/people/callers.ts';
import { shareEnvironment } from '#test/shared-environment.ts';
import { listRoutes } from '#test/access/routes.ts';
import { SHELL } from './cache-control.ts';
import { PAGE_PATHS, withSlash } from './page-paths.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

/** One path for each response that a shared cache may store. */
const publicResponses: Record<string, string> = {
  'GET /api/callers': '/api/callers',
  'GET /api/callers/:usernameOrId/results': '/api/callers/CALLER/results',
  'GET /api/results': '/api/results?callers=paid_caller',
  'GET /api/comparison': '/api/comparison?callers=paid_caller',
  'GET /api/token-calls/ended': '/api/token-calls/ended',
  'GET /api/token-calls/:id/share.png': '/api/token-calls/ENDED/share.png',
  'GET /api/callers/:usernameOrId/card.png': '/api/callers/CALLER/card.png',
  'GET /api/images/callers/:id/:version': 'PICTURE',
  'GET /api/images/calls/:id': '/api/images/calls/ENDED',
  'GET /api/prices': `/api/prices?mints=${MINTS.WIF}`,
  'GET /api/prices/sol': '/api/prices/sol',
  'GET /api/status': '/api/status',
  'GET /feeds/recent-calls.xml': '/feeds/recent-calls.xml',
  'GET /caller/:usernameOrId/feed.xml': '/caller/CALLER/feed.xml',
  'GET /log/key': '/log/key',
  'GET /log/checkpoint': '/log/checkpoint',
  'GET /log/tile/:path{.+}': '/log/tile/0/000.p/1',
  'GET /log/texts/:callerId': '/log/texts/CALLER',
  'GET /api/openapi.json': '/api/openapi.json',
  'GET /api/docs': '/api/docs',
  'GET /api/docs/bot': '/api/docs/bot',
  'GET /embed/caller/:usernameOrId': '/embed/caller/paid_caller',
  'GET /robots.txt': '/robots.txt',
  'GET /.well-known/security.txt': '/.well-known/security.txt',
  'GET /api/card.png': '/api/card.png',
  'GET /api/tokens/called': '/api/tokens/called?q=wif',
  'GET /sitemap.xml': '/sitemap.xml',
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}': '/sitemap-pages.xml',
  ...Object.fromEntries(
    ['/caller/:usernameOrId', '/call/:id', '/token/:mint', ...PAGE_PATHS]
      .flatMap(withSlash)
      .map((path) => [
        `GET ${path}`,
        path.replace('call/:id', 'call/ENDED').replace(':mint', MINTS.WIF).replace(/:\w+/, 'paid_caller'),
      ]),
  ),
};
const PRIVATE = 'private, no-store';

let app: TestApp;
let caller: Person;
let ended: TokenCall;

shareEnvironment(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app));
  ended = await makeEndedCall({ caller });
  await app.services.logSequencer.sequence();
});

const pathOf = (pattern: string) =>
  pattern
    .replace('ENDED', ended.id)
    .replace('CALLER', caller.id)
    .replace('PICTURE', ended.caller.profileImageUrl ?? '');

const cacheControlOf = async (path: string, init?: Parameters<TestApp['request']>[1]) =>
  (await app.request(path, init)).headers.get('Cache-Control');

it.each(Object.entries(publicResponses))(
  'a public response is cacheable and the same for everyone: %s',
  async (_route, pattern) => {
    const path = pathOf(pattern);
    const [anonymous, signedIn] = [await app.request(path), await caller.get(path)];
    for (const response of [anonymous, signedIn]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toMatch(
        /^public, max-age=(0, must-revalidate|\d+(, s-maxage=\d+)?(, stale-while-revalidate=\d+|, immutable)?)$/,
      );
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(response.headers.get('Vary') ?? '').not.toContain('Cookie');
    }
    expect(await signedIn.text()).toBe(await anonymous.text());
    expect(await cacheControlOf(path, { method: 'HEAD' })).toBe(PRIVATE);
  },
);

/** Other URLs of the same response: with an unknown or empty parameter, and with an escaped character. */
function variantsOf(path: string): string[] {
  const [bare = '', query] = path.split('?');
  const parameters = query === undefined ? '' : `${query}&`;
  const escaped = `${bare.slice(0, -1)}%${bare.charCodeAt(bare.length - 1).toString(16)}`;
  const variants = [`${bare}?${parameters}x=1`, `${bare}?${parameters}`];
  return bare === '/' ? variants : [...variants, query === undefined ? escaped : `${escaped}?${query}`];
}

it.each(Object.entries(publicResponses))(
  'another spelling of a public URL is redirected, refused or served as the app shell: %s',
  async (_route, pattern) => {
    for (const path of variantsOf(pathOf(pattern))) {
      const response = await app.request(path, { isFollowing: false });
      // A page without content is the app's shell, which is read from a file.
      const isShell = response.headers.get('Cache-Control') === SHELL;
      expect(isShell || [308, 400, 404].includes(response.status), `${path} ${response.status}`).toBe(true);
    }
  },
);

it('Cache-Control keeps a polled public price so fresh that its age isn’t shown', async () => {
  const path = `/api/prices?mints=${MINTS.WIF}`;
  await app.advance(PUBLIC_PRICE_KEPT_MS);
  const setPrice = (price: number) => control('POST', '/prices', { mint: MINTS.WIF, price });
  await setPrice(2);
  const first = await (await app.request(path)).text();
  await setPrice(3);
  // Advances to the last time at which the worker still returns this price.
  await app.advance(PUBLIC_PRICE_KEPT_MS - 1);
  const response = await app.request(path);
  const directives = Object.fromEntries(
    (response.headers.get('Cache-Control') ?? '').split(', ').map((each) => each.split('=')),
  );
  expect(await response.text()).toBe(first);
  expect(Object.keys(directives)).toEqual(['public', 'max-age']);
  const oldest = PUBLIC_PRICE_KEPT_MS + Number(directives['max-age']) * 1_000 + POLL_MS.prices;
  expect(oldest).toBeLessThan(MAX_FRESH_PRICE_AGE_MS);
  await app.advance(1);
  expect(await (await app.request(path)).text()).not.toBe(first);
});

it('Cache-Control is private on token lookups, and on prices of tokens without an ended call', async () => {
  for (const path of [
    `/api/prices?mints=${MINTS.BONK}`,
    `/api/prices?mints=${MINTS.WIF},${MINTS.BONK}`,
    `/api/tokens/${MINTS.WIF}`,
    `/api/tokens/${MINTS.BONK}`,
  ]) {
    expect((await app.request(path)).status).toBe(200);
    expect(await cacheControlOf(path)).toBe(PRIVATE);
  }
});

// This test comes last, because its requests change the shared environment.
it('Cache-Control is private on errors and on every route that is not listed as public', async () => {
  const texts = { bio: 'x', subscriptionPrice: '', walletAddress: MINTS.WIF };
  const filled = { callerId: caller.id, monthlyFee: null, ...texts };
  for (const route of listRoutes()) {
    const [method = '', pattern = ''] = route.split(' ');
    if (route in publicResponses || route === 'GET /api/logout') continue;
    for (const id of [caller.id, 'nothing']) {
      const path = pattern.replace(/:\w+/g, id);
      for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : [{}, filled]) {
        for (const cookie of [undefined, caller.cookie]) {
          const init = { method, body, cookie };
          expect(await cacheControlOf(path, init), `${route} ${JSON.stringify(init)}`).toBe(PRIVATE);
        }
      }
    }
  }
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  expect(await cacheControlOf('/api/logout', { cookie: caller.cookie, headers })).toBe(PRIVATE);
});
