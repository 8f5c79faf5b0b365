import { beforeEach, expect, it } from 'vitest';
import { createPaidCaller, makeEndedCall } from '#test/people/callers.ts';
import { listRoutes, requestOf } from '#test/access/routes.ts';
import { SHELL_HEADERS } from '#test/test-assets.ts';
import { createTestApp, type TestApp } from '#test/test-app.ts';

const { 'Content-Security-Policy': pagePolicy, ...everywhere } = SHELL_HEADERS;

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

it('every route’s response has the security headers, with and without a session, even on a 404', async () => {
  const { caller } = await createPaidCaller(app);
  const { id: endedId } = await makeEndedCall({ caller });
  for (const route of listRoutes()) {
    for (const id of [caller.id, endedId, 'nothing']) {
      const { path, ...init } = requestOf(route, id);
      for (const cookie of [undefined, caller.cookie]) {
        if (path === '/api/logout' && cookie !== undefined) continue;
        const response = await app.request(path, { ...init, ...(cookie && { cookie }) });
        const { 'Cross-Origin-Resource-Policy': own, ...others } = everywhere;
        const isShared = route.endsWith('.png') && response.status === 200;
        const isEmbed = route.startsWith('GET /embed/') && response.status === 200;
        if (isEmbed) continue;
        const expected = { ...others, 'Cross-Origin-Resource-Policy': isShared ? 'cross-origin' : own };
        const found = Object.keys(expected).map((name) => [name, response.headers.get(name)]);
        expect(Object.fromEntries(found), `${route} ${response.status}`).toEqual(expected);
        const isPage = response.headers.get('Content-Type')?.startsWith('text/html') === true;
        const policy = response.headers.get('Content-Security-Policy');
        if (isPage && !route.startsWith('GET /api/docs')) expect(policy, route).toBe(pagePolicy);
        else expect(policy, route).toMatch(/^default-src 'none';.* frame-ancestors 'none'$/);
      }
    }
  }
});

it.each([
  ['an unknown API path', '/api/nothing', {}],
  [
    'a write from another site',
    '/api/subscriptions',
    { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } },
  ],
  ['a body that is too large', '/api/subscriptions', { method: 'POST', body: 'x'.repeat(200_000) }],
  ['a failed sign-in', '/api/auth/twitter/callback', { headers: { 'Sec-Fetch-Mode': 'navigate' } }],
  ['the start of a sign-in', '/api/auth/twitter', {}],
  ['a log-out', '/api/logout', {}],
] as const)('the response to %s has the security headers', async (_name, path, init) => {
  const { headers } = await app.request(path, init);
  const found = Object.keys(everywhere).map((name) => [name, headers.get(name)]);
  expect(Object.fromEntries(found)).toEqual(everywhere);
  expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';/);
});

it('the security headers allow the error page’s style sheet', async () => {
  const response = await app.request('/api/auth/twitter/callback', {
    headers: { 'Sec-Fetch-Mode': 'navigate' },
  });
  expect(response.headers.get('Content-Security-Policy')).toContain("style-src 'self'");
  expect(await response.text()).not.toContain('<style');
});

it.each([
  ['connections only to our origin and to the local environment', "; connect-src 'self' ws://localhost:*; "],
  ['images only from our origin and from data URLs', "; img-src 'self' data:; "],
  ['no inline scripts and styles', "default-src 'none'; script-src 'self'; style-src 'self';"],
  ['no framing by other sites', "frame-ancestors 'none'"],
  [
    'no text as a script, except addresses of our own',
    "; require-trusted-types-for 'script'; trusted-types default",
  ],
])('the Content-Security-Policy of pages allows %s', (_what, directive) => {
  expect(pagePolicy).toContain(directive);
  expect(pagePolicy).not.toContain('unsafe');
});

it('other sites may frame a caller’s card, which may not run scripts or send forms', async () => {
  const { caller } = await createPaidCaller(app);
  const { headers } = await app.request(`/embed/caller/${caller.handle}`);
  expect(headers.get('X-Frame-Options')).toBeNull();
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  );
  const missing = await app.request('/embed/caller/nobody');
  expect([missing.status, missing.headers.get('X-Frame-Options')]).toEqual([404, 'DENY']);
});
