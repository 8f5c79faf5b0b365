import { expect, it } from 'vitest';
import { MINUTE_MS, RATE_LIMITS } from '#schema/constants.ts';
import type { ErrorBody } from '#schema/contracts/errors.ts';
import { listRoutes, ROUTES } from '../test-support/access/routes.ts';
import { createTestApp, type TestApp } from '../test-support/test-app.ts';
import { createTestLimits } from '../test-support/test-limits.ts';
import wranglerFile from '../../wrangler.toml?raw';
import { limitOf } from './limit-requests.ts';

const pathOf = (pattern: string) =>
  pattern.replace(/:part\{.*\}/, 'sitemap-pages.xml').replace(/:\w+/g, 'nothing');

function request(app: TestApp, route: string, { address, cookie }: { address: string; cookie?: string }) {
  const [method = '', pattern = ''] = route.split(' ');
  const headers = { 'CF-Connecting-IP': address };
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
  return app.request(pathOf(pattern), { method, headers, ...body, ...(cookie && { cookie }) });
}

async function requestTimes(count: number, send: () => Promise<Response>): Promise<Response | undefined> {
  let last: Response | undefined;
  for (let done = 0; done < count; done++) {
    last = await send();
    await last.body?.cancel();
  }
  return last;
}

it('the rate limits in wrangler.toml equal RATE_LIMITS', () => {
  const configured = [...wranglerFile.matchAll(/name = "LIMIT_(\w+)"[^[]*?limit = (\d+), period = 60/g)];
  const numbers = configured.map(([, name = '', limit]) => [name.toLowerCase(), Number(limit)]);
  expect(Object.fromEntries(numbers)).toEqual(RATE_LIMITS);
});

it('every route returns 429 with Retry-After over its rate limit, until a minute has passed', async () => {
  const few = { visitor: 1_000_000, images: 5, reads: 4, writes: 3, costly: 2 };
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  let now = 0;
  const app = await createTestApp({ bindings: createTestLimits(clock, few) });
  for (const { route, facts } of ROUTES) {
    const { limit } = limitOf(route, facts);
    // Some routes share a limit.
    now += MINUTE_MS;
    const send = async (address: string) => {
      const { status, headers } = await request(app, route, { address });
      return [status === 429, headers.get('Retry-After')];
    };
    for (let done = 0; done < few[limit]; done++) {
      expect(await send('203.0.113.7'), route).toEqual([false, null]);
    }
    expect(await send('203.0.113.7'), route).toEqual([true, '60']);
    expect(await send('203.0.113.8'), route).toEqual([false, null]);
    now += MINUTE_MS;
    expect(await send('203.0.113.7'), route).toEqual([false, null]);
  }
});

it('a response over the rate limit has the product’s error format', async () => {
  const app = await createTestApp();
  const route = 'GET /api/callers/:usernameOrId/card.png';
  await requestTimes(RATE_LIMITS.costly, () => request(app, route, { address: '203.0.113.7' }));
  const refused = await request(app, route, { address: '203.0.113.7' });
  expect((await refused.json<ErrorBody>()).error.code).toBe('request.too_many');
});

it('the rate limits count each signed-in user separately, over all their network addresses', async () => {
  const app = await createTestApp();
  const [ada, ben] = [await app.signIn('ada_l'), await app.signIn('ben_l')];
  const route = 'GET /api/wallet/balances';
  const read = (cookie: string, address: string) => request(app, route, { address, cookie });
  await requestTimes(RATE_LIMITS.costly / 2, () => read(ada.cookie, '203.0.113.7'));
  await requestTimes(RATE_LIMITS.costly / 2, () => read(ada.cookie, '203.0.113.8'));
  expect((await read(ada.cookie, '203.0.113.9')).status).toBe(429);
  expect((await read(ben.cookie, '203.0.113.7')).status).toBe(200);
});

it('the rate limits count requests with an invalid session by their network address', async () => {
  const app = await createTestApp();
  const route = 'GET /api/wallet/balances';
  let number = 0;
  const send = () =>
    request(app, route, { address: '203.0.113.7', cookie: `__Host-session=made-up-${number++}` });
  await requestTimes(RATE_LIMITS.costly, send);
  expect((await send()).status).toBe(429);
});

it('the rate limits count one IPv6 network as one visitor, over all routes', async () => {
  const few = { ...RATE_LIMITS, visitor: 20 };
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const app = await createTestApp({ bindings: createTestLimits(clock, few) });
  for (const [number, route] of listRoutes().slice(0, few.visitor).entries()) {
    await request(app, route, { address: `2001:db8:1:2::${number.toString(16)}` });
  }
  expect((await request(app, 'GET /api/nothing', { address: '2001:db8:1:2::' })).status).toBe(429);
  expect((await request(app, 'GET /api/nothing', { address: '2001:db8:1:3::' })).status).toBe(404);
});
