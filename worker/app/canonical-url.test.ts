import { beforeEach, expect, it } from 'vitest';
import { MINTS } from '#test/people/callers.ts';
import { createTestApp, type TestApp } from '#test/test-app.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function expectRedirect(path: string, canonical: string): Promise<void> {
  const { status, headers } = await app.request(path, { isFollowing: false });
  expect([status, headers.get('Location')]).toEqual([308, canonical]);
  expect(headers.get('Cache-Control')).toBe('private, no-store');
}

const [FIRST, SECOND] = [MINTS.WIF, MINTS.BONK].sort();

it.each([
  ['/?utm_source=x', '/'],
  ['/?', '/'],
  ['/?verified=true&search=Ada&gclid=1', '/?search=Ada&verified=true'],
  ['/recent-calls?utm_source=x', '/recent-calls'],
  ['/how-we-count?x', '/how-we-count'],
  ['/risk?x', '/risk'],
  ['/api/callers?sort=avgReturn&order=desc&limit=60', '/api/callers'],
  ['/api/callers?search=', '/api/callers'],
  ['/api/callers?verified=true&maxFee=0.5', '/api/callers?maxFee=0.5&verified=true'],
  ['/api/callers?search=%20Ada%20%20L', '/api/callers?search=ada+l'],
  ['/api/callers?search=%61da', '/api/callers?search=ada'],
  ['/api/callers?search=%EF%BC%A1da%27', '/api/callers?search=ada%27'],
  ['/api/callers?', '/api/callers'],
  ['/api/token-calls/ended?limit=50', '/api/token-calls/ended'],
  ['/api/comparison?callers=a%2Cb&amount=100', '/api/comparison?callers=a%2Cb'],
  [`/api/prices?mints=${SECOND},,${FIRST},${FIRST}`, `/api/prices?mints=${FIRST}%2C${SECOND}`],
])(
  'the query of a public list or page is redirected to its canonical form: from %s to %s',
  async (path, canonical) => {
    await expectRedirect(path, canonical);
    expect((await app.request(canonical, { isFollowing: false })).status).toBe(200);
  },
);

it('a public list with an invalid query returns 400 instead of a redirect', async () => {
  expect((await app.request('/api/callers?unknown=1&order=desc', { isFollowing: false })).status).toBe(400);
  const long = encodeURIComponent('\u{FDFA}'.repeat(10));
  expect((await app.request(`/api/callers?search=${long}`, { isFollowing: false })).status).toBe(400);
});

it.each([
  ['/%72ecent-calls', '/recent-calls'],
  ['/caller/ada%5Fl?x=%41', '/caller/ada_l?x=%41'],
  ['/sitemap-p%61ges.xml', '/sitemap-pages.xml'],
  ['/recent-calls/', '/recent-calls'],
  ['/robots.txt?', '/robots.txt'],
  ['/log/key?x', '/log/key'],
])('the URL of a public list or page is redirected to its canonical form: from %s to %s', (path, canonical) =>
  expectRedirect(path, canonical),
);

it('a path that begins with two slashes is never redirected to another site', async () => {
  for (const path of ['//%65vil.com', '//%65vil.com/%2561']) {
    const response = await app.request(path, { isFollowing: false });
    expect([response.status, response.headers.get('Location')], path).toEqual([404, null]);
  }
});

it('a query without the defaults is canonical, also if another member is required', async () => {
  const response = await app.request('/api/comparison?callers=a%2Cb', { isFollowing: false });
  expect(response.status).toBe(200);
});
