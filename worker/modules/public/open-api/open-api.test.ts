import { json } from 'virtual:api-docs';
import { expect, it } from 'vitest';
import { PAGE_PATHS, withSlash } from '../../../app/page-paths.ts';
import type { DescribedRoute } from '../../../app/route.ts';
import { checkOperation } from '#test/access/check-responses.ts';
import { ROUTES } from '#test/access/routes.ts';
import { createTestApp } from '#test/test-app.ts';

it('the OpenAPI document describes every route except pages', () => {
  const isDescribed = ({ facts }: DescribedRoute) => 'summary' in facts;
  const pages = ['/caller/:usernameOrId', '/call/:id', '/token/:mint', ...PAGE_PATHS].flatMap(withSlash);
  expect(ROUTES.filter((each) => !isDescribed(each)).map(({ route }) => route)).toEqual(
    pages.map((path) => `GET ${path}`).toSorted(),
  );
});

it('the OpenAPI document has exactly the schemas that it references', () => {
  const references = json.matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const named = new Set([...references].map(([, name]) => name));
  const { components } = JSON.parse(json) as { readonly components: { readonly schemas: object } };
  expect(Object.keys(components.schemas).toSorted()).toEqual([...named].toSorted());
});

it.each([
  ['an undocumented field', 200, { status: 'ok', version: '1', secret: 1 }, 'differs'],
  ['a missing field', 200, { status: 'ok' }, 'differs'],
  ['an undocumented status', 418, { status: 'ok', version: '1' }, "doesn't have this status"],
  [
    'an undocumented error code',
    429,
    { message: 'No.', error: { code: 'calls.not_found', message: 'No.' } },
    'differs',
  ],
])('checkOperation refuses a response with %s', async (_, status, reply, problem) => {
  const exchange = { method: 'GET', path: '/api/health', headers: {}, body: undefined };
  const check = (response: Response) => checkOperation({ ...exchange, response, isAlwaysChecked: true });
  await expect(check(Response.json(reply, { status }))).rejects.toThrow(problem);
  expect(await check(Response.json({ status: 'ok', version: '1' }))).toBe('GET /api/health');
});

it('a page without scripts lists every path of the OpenAPI document', async () => {
  const app = await createTestApp();
  const reply = await app.request('/api/openapi.json');
  const { openapi, paths } = await reply.json<{ openapi: string; paths: object }>();
  expect([reply.status, openapi, reply.headers.get('Cache-Control')]).toEqual([
    200,
    '3.1.0',
    'public, max-age=3600, stale-while-revalidate=86400',
  ]);
  const page = await app.request('/api/docs');
  const html = await page.text();
  expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'; style-src 'self'");
  expect(html).not.toMatch(/<script|<style| style=|https?:\/\//);
  const listed = [...html.matchAll(/<code>[A-Z]+ (\/[^<]+)<\/code>/g)].map(([, path]) => path);
  expect([...new Set(listed)].toSorted()).toEqual(Object.keys(paths).toSorted());
  for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${id}"`);
});

it('the page “Build a bot in ten minutes” shows code of the bot and the receiver, without scripts', async () => {
  const app = await createTestApp();
  const page = await app.request('/api/docs/bot');
  const text = await page.text();
  expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'; style-src 'self'");
  expect(text).not.toMatch(/<script|<style| style=/);
  for (const part of [
    'api.POST(&#39;/api/token-calls&#39;',
    'webhook-signature',
    'https://solcallers.test/api/openapi.json',
  ]) {
    expect(text).toContain(part);
  }
});
