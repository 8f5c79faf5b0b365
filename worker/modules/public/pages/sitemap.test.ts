import { beforeEach, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { createCaller } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { createCallerWithCalls, insertEndedCalls, type EndedCalls } from '#test/people/ended-calls.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { writeSitemap } from './sitemap.service.ts';

const ORIGIN = 'https://solcallers.test';

let app: TestApp;
let caller: Person;
let ended: TokenCall;
let active: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller, ended, active } = await createCallerWithCalls(app, 'Ada_calls'));
});

interface Entry {
  readonly loc: string;
  readonly lastmod: string | null;
}

async function read(path: string): Promise<Entry[]> {
  const response = await app.request(path);
  expect([
    response.status,
    response.headers.get('Content-Type'),
    response.headers.get('Cache-Control'),
  ]).toEqual([200, 'application/xml; charset=utf-8', 'public, max-age=3000, stale-while-revalidate=600']);
  const xml = await response.text();
  expect(xml).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<(urlset|sitemapindex) xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n[\s\S]*<\/\1>\n$/,
  );
  const entries = [...xml.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?/g)].map(
    ([, loc = '', lastmod]) => ({ loc, lastmod: lastmod ?? null }),
  );
  for (const { loc } of entries) expect(loc.startsWith(`${ORIGIN}/`)).toBe(true);
  return entries;
}

/** Reads all URLs of all parts of the sitemap. */
async function readAll(): Promise<Entry[]> {
  const parts = await read('/sitemap.xml');
  return (await Promise.all(parts.map(({ loc }) => read(new URL(loc).pathname)))).flat();
}

const insertEnded = (calls: EndedCalls['calls']) => insertEndedCalls({ callerId: caller.id, calls });

it('robots.txt disallows the API except its images and its documentation, and names the sitemap', async () => {
  const response = await app.request('/robots.txt');
  expect([
    response.status,
    response.headers.get('Content-Type'),
    response.headers.get('Cache-Control'),
  ]).toEqual([200, 'text/plain;charset=UTF-8', 'public, max-age=3000, stale-while-revalidate=600']);
  expect((await response.text()).split('\n')).toEqual([
    'User-agent: *',
    'Allow: /api/docs',
    'Allow: /api/card.png',
    'Allow: /api/callers/*/card.png',
    'Allow: /api/token-calls/*/share.png',
    'Disallow: /api/',
    'Disallow: /dashboard',
    'Disallow: /payments',
    'Disallow: /portfolio',
    'Disallow: /settings',
    'Disallow: /test-dashboard',
    '',
    `Sitemap: ${ORIGIN}/sitemap.xml`,
    '',
  ]);
});

it('security.txt names the configured contact and expires in the future, and is 404 without a contact', async () => {
  const path = '/.well-known/security.txt';
  const unconfigured = await createTestApp({ bindings: { SECURITY_CONTACT: '' } });
  expect((await unconfigured.request(path)).status).toBe(404);
  const response = await app.request(path);
  expect(response.headers.get('Content-Type')).toBe('text/plain;charset=UTF-8');
  const fields = new Map(
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]),
  );
  expect(fields.get('Contact')).toBe('mailto:security@solcallers.example');
  expect(fields.get('Canonical')).toBe(`${ORIGIN}${path}`);
  const lifetime = Date.parse(fields.get('Expires') ?? '') - app.clock.now();
  expect(lifetime).toBeGreaterThan(30 * DAY_MS);
  expect(lifetime).toBeLessThan(365 * DAY_MS);
});

it('the sitemap lists public pages, callers and ended calls, but no active calls', async () => {
  const silent = await createCaller(app, 'silent');
  const [began] = await query<{ created_at: number }>(
    'SELECT created_at FROM callers WHERE caller_id = ?',
    silent.id,
  );
  const entries = await readAll();
  const endedAt = ended.endTimestamp ?? '';
  expect(entries.toSorted((one, other) => one.loc.localeCompare(other.loc, 'en'))).toEqual(
    [
      ...['/', '/recent-calls', '/how-we-count', '/sealed-calls', '/terms', '/privacy', '/risk'].map(
        (path) => ({
          loc: `${ORIGIN}${path}`,
          lastmod: null,
        }),
      ),
      { loc: `${ORIGIN}/caller/Ada_calls`, lastmod: endedAt },
      { loc: `${ORIGIN}/caller/silent`, lastmod: new Date(began?.created_at ?? 0).toISOString() },
      { loc: `${ORIGIN}/call/${ended.id}`, lastmod: endedAt },
      { loc: `${ORIGIN}/token/${ended.tokenMint}`, lastmod: null },
    ].toSorted((one, other) => one.loc.localeCompare(other.loc, 'en')),
  );
  expect(JSON.stringify(entries)).not.toContain(active.id);
});

it('the sitemap lists canonical URLs, which end in the id if the caller lost the handle', async () => {
  await app.advance(1_000);
  await createCaller(app, 'newer');
  const { id } = await createCaller(app, 'former');
  await query("UPDATE users SET twitter_handle = 'user-' || x_user_id WHERE id = ?", id);
  const callers = (await readAll()).map(({ loc }) => loc).filter((loc) => loc.includes('/caller/'));
  const slugs = ['Ada_calls', 'newer', id];
  expect(callers.toSorted()).toEqual(slugs.map((slug) => `${ORIGIN}/caller/${slug}`).toSorted());
  for (const loc of callers) {
    expect(await (await app.request(new URL(loc).pathname)).text()).toContain(
      `<link rel="canonical" href="${loc}" />`,
    );
  }
});

it('the sitemap groups ended calls by the UTC day of their end, newest first', async () => {
  const day = Date.UTC(2026, 1, 28);
  await insertEnded([
    { id: 'last-of-before', endedAt: day - 1 },
    { id: 'first', endedAt: day },
    { id: 'last', endedAt: day + DAY_MS - 1 },
    { id: 'first-of-after', endedAt: day + DAY_MS },
    { id: 'long-ago', endedAt: Date.UTC(2019, 0, 1, 12) },
  ]);
  const days = (await read('/sitemap.xml')).filter(({ loc }) => loc.includes('/sitemap-calls-'));
  expect(days).toEqual([
    {
      loc: `${ORIGIN}/sitemap-calls-${(ended.endTimestamp ?? '').slice(0, 10)}.xml`,
      lastmod: ended.endTimestamp,
    },
    { loc: `${ORIGIN}/sitemap-calls-2026-03-01.xml`, lastmod: '2026-03-01T00:00:00.000Z' },
    { loc: `${ORIGIN}/sitemap-calls-2026-02-28.xml`, lastmod: '2026-02-28T23:59:59.999Z' },
    { loc: `${ORIGIN}/sitemap-calls-2026-02-27.xml`, lastmod: '2026-02-27T23:59:59.999Z' },
    { loc: `${ORIGIN}/sitemap-calls-2019-01-01.xml`, lastmod: '2019-01-01T12:00:00.000Z' },
  ]);
  expect((await read('/sitemap-calls-2026-02-28.xml')).map(({ loc }) => loc)).toEqual([
    `${ORIGIN}/call/last`,
    `${ORIGIN}/call/first`,
  ]);
  const ids = (await readAll()).map(({ loc }) => loc).filter((loc) => loc.includes('/call/'));
  expect(new Set(ids).size).toBe(6);
  expect(ids).toHaveLength(6);
});

it('the sitemap has at most fifty thousand URLs per part', async () => {
  const day = Date.UTC(2026, 1, 28);
  const rows = Array.from({ length: 50_002 }, (_, number) => ({ id: `k${number}`, endedAt: day + number }));
  for (let start = 0; start < rows.length; start += 10_000) {
    await insertEnded(rows.slice(start, start + 10_000));
  }
  const locs = (await read('/sitemap-calls-2026-02-28.xml')).map(({ loc }) => loc);
  expect([locs.length, locs[0], locs.at(-1)]).toEqual([50_000, `${ORIGIN}/call/k50001`, `${ORIGIN}/call/k2`]);
});

const elsewhere = [
  '/sitemap-calls-2026-02-30.xml',
  '/sitemap-calls-2026-2-3.xml',
  '/sitemap-calls-1999-01-01.xml',
  '/sitemap-callers-0.xml',
  '/sitemap-nothing.xml',
  '/sitemap-.xml',
  '/sitemap.xml/',
  '/x/sitemap.xml',
];

it('an unknown sitemap path returns 404', async () => {
  for (const path of elsewhere) {
    const response = await app.request(path);
    expect([path, response.status, response.headers.get('Cache-Control')]).toEqual([
      path,
      404,
      'private, no-store',
    ]);
  }
});

it('writeSitemap escapes URLs as XML', () => {
  const url = `https://x.example/?a=1&b='"<>`;
  for (const root of ['urlset', 'sitemapindex'] as const) {
    expect(writeSitemap(root, [{ url, changedAt: 0 }])).toContain(
      '<loc>https://x.example/?a=1&#38;b=&#39;&#34;&#60;&#62;</loc><lastmod>1970-01-01T00:00:00.000Z</lastmod>',
    );
  }
});
