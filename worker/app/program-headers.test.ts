import { beforeEach, expect, it } from 'vitest';
import { RATE_LIMITS } from '#schema/constants/app.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { requestOf, ROUTES } from '#test/access/routes.ts';
import { createApiKey } from '#test/people/api-keys.ts';
import { createTestApp, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

let app: TestApp;
let minute = 0;

beforeEach(async () => {
  app = await createTestApp();
  minute += 1;
  await app.advance(minute * MINUTE_MS - (app.clock.now() % MINUTE_MS));
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
  for (let left = RATE_LIMITS.costly - 1; left >= 0; left -= 1) {
    const { headers } = await draw();
    expect(headers.get('RateLimit-Policy')).toBe(policy);
    expect(headers.get('RateLimit')).toMatch(new RegExp(`^"costly";r=${left};t=60$`));
  }
  const { status, headers } = await draw();
  expect([status, headers.get('RateLimit-Policy'), headers.get('RateLimit')]).toEqual([
    429,
    policy,
    '"costly";r=0;t=60',
  ]);
});

it('the rate limit of an API key counts its own requests, and shared responses have no RateLimit', async () => {
  const owner = await app.signIn('owner');
  const { key } = await createApiKey(app, owner);
  const read = async (headers: Record<string, string>) => {
    const response = await app.request('/api/callers', { headers });
    return [response.status, response.headers.get('RateLimit')?.replace(/;t=.*/, '') ?? null];
  };
  expect(await read({})).toEqual([200, null]);
  // `createApiKey` has used the key once.
  for (const [used, scheme] of ['Bearer', 'bearer', 'BEARER'].entries()) {
    const left = RATE_LIMITS.reads - 2 - used;
    expect(await read({ Authorization: `${scheme} ${key}` })).toEqual([200, `"reads";r=${left}`]);
  }
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
