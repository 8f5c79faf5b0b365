import { beforeEach, expect, it } from 'vitest';
import { RATE_LIMITS } from '#schema/constants/app.ts';
import { requestOf, ROUTES } from '#test/access/routes.ts';
import { createTestApp, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

it('pages of other sites may read only the public responses of the API', async () => {
  app = await createTestApp({ bindings: NO_LIMITS });
  const person = await app.signIn('reader');
  const readable: string[] = [];
  for (const { route, facts } of ROUTES) {
    const { path, ...init } = requestOf(route);
    if (path === '/api/logout') continue;
    const { headers } = await app.request(path, { ...init, cookie: person.cookie });
    expect(headers.has('Access-Control-Allow-Credentials'), route).toBe(false);
    if (headers.get('Access-Control-Allow-Origin') === null) continue;
    expect([init.method, facts.session ?? 'optional', 'summary' in facts], route).toEqual([
      'GET',
      'optional',
      true,
    ]);
    readable.push(path);
  }
  expect(readable).toEqual(
    expect.arrayContaining([
      '/api/callers',
      '/api/token-calls/ended',
      '/api/openapi.json',
      '/log/checkpoint',
    ]),
  );
});

it('responses have the rate limit in their headers, and a 429 has the time until the limit’s reset', async () => {
  const policy = `"costly";q=${RATE_LIMITS.costly};w=60`;
  const draw = () => app.request('/api/callers/nobody/card.png');
  for (let sent = 0; sent < RATE_LIMITS.costly; sent += 1) {
    const { headers } = await draw();
    expect([headers.get('RateLimit-Policy'), headers.get('RateLimit')]).toEqual([policy, null]);
  }
  const { status, headers } = await draw();
  expect([status, headers.get('RateLimit-Policy'), headers.get('RateLimit')]).toEqual([
    429,
    policy,
    '"costly";r=0;t=60',
  ]);
});

it('unknown URLs and operators’ routes have no rate-limit and CORS headers', async () => {
  for (const path of ['/api/unknown', '/api/operators/overview']) {
    const { headers } = await app.request(path);
    expect([headers.get('RateLimit-Policy'), headers.get('Access-Control-Allow-Origin')]).toEqual([
      null,
      null,
    ]);
  }
});
