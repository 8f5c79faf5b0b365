import { beforeEach, describe, expect, it } from 'vitest';
import { RATE_LIMITS } from '#schema/constants/app.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { ErrorBody } from '#schema/contracts/errors.ts';
import { listRoutes, requestOf, ROUTES } from '#test/access/routes.ts';
import { query } from '#test/database/database.ts';
import { countRows } from '#test/database/count-rows.ts';
import { createApiKey, sentWith } from '#test/people/api-keys.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createTestLimits } from '#test/test-limits.ts';
import wranglerFile from '../../wrangler.toml?raw';
import { limitOf, UNCOUNTED } from './limit-requests.ts';

const stopped = { now: () => 0, sleep: () => Promise.resolve() };

function request(app: TestApp, route: string, { address, cookie }: { address: string; cookie?: string }) {
  const { path, ...init } = requestOf(route);
  return app.request(path, { ...init, headers: { 'CF-Connecting-IP': address }, ...(cookie && { cookie }) });
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
  const few = { address: 1_000_000, visitor: 1_000_000, cheap: 5, reads: 4, writes: 3, costly: 2 };
  let now = 0;
  const app = await createTestApp({ bindings: createTestLimits({ ...stopped, now: () => now }, few) });
  for (const { route, facts } of ROUTES) {
    const { limit } = limitOf(route, facts);
    // Some routes share a limit.
    now += MINUTE_MS;
    const send = async (address: string) => {
      const response = await request(app, route, { address });
      if (response.status !== 429) return [false, null];
      const { error } = await response.json<ErrorBody>();
      return [error.code, response.headers.get('Retry-After')];
    };
    for (let done = 0; done < few[limit]; done++) {
      expect(await send('203.0.113.7'), route).toEqual([false, null]);
    }
    expect(await send('203.0.113.7'), route).toEqual(['request.too_many', '60']);
    expect(await send('203.0.113.8'), route).toEqual([false, null]);
    now += MINUTE_MS;
    expect(await send('203.0.113.7'), route).toEqual([false, null]);
  }
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

describe('behind a shared network address', () => {
  const few = { address: 60, visitor: 20, cheap: 9, reads: 6, writes: 4, costly: 3 };
  const address = '203.0.113.7';
  let app: TestApp;
  let cookie: string;

  beforeEach(async () => {
    app = await createTestApp({ bindings: createTestLimits(stopped, few) });
    ({ cookie } = await app.signIn('ada_l'));
  });

  it.each([
    ['cached prices', 'GET /api/prices/sol', few.reads],
    ['all routes together', 'GET /api/images/nothing', few.visitor],
  ])(
    'a stranger who uses up the rate limit for %s doesn’t stop a signed-in user at the same address',
    async (_name, route, limit) => {
      expect(
        (await requestTimes(UNCOUNTED.visitor + few.visitor + 1, () => request(app, route, { address })))
          ?.status,
      ).toBe(429);
      expect((await request(app, route, { address, cookie })).status).not.toBe(429);
      const own = await requestTimes(limit, () => request(app, route, { address, cookie }));
      expect(own?.status).toBe(429);
    },
  );

  it('the rate limit of a network address counts the visitors of all routes together', async () => {
    const read = (header: string) => request(app, 'GET /api/auth/user', { address: header });
    const others = UNCOUNTED.address + few.address;
    await requestTimes(others, () => request(app, 'GET /api/nothing', { address }));
    expect([(await read(address)).status, (await read('203.0.113.8')).status]).toEqual([429, 401]);
  });
});

it('a request over the limit of its session or API key reads nothing from the database', async () => {
  let queries = 0;
  const few = { ...RATE_LIMITS, reads: 3 };
  const app = await createTestApp({
    bindings: {
      ...createTestLimits(stopped, few),
      DB: countRows(testEnv.DB, () => {
        queries += 1;
      }),
    },
  });
  const ada = await app.signIn('ada_l');
  const { key } = await createApiKey(app, ada);
  for (const sent of [{ cookie: ada.cookie }, { headers: sentWith(key) }]) {
    const send = () => app.request(`/api/callers/${ada.handle}`, sent);
    await requestTimes(few.reads, send);
    queries = 0;
    expect([(await send()).status, queries]).toEqual([429, 0]);
  }
});

it('a made-up session or API key costs no query', async () => {
  let queries = 0;
  const app = await createTestApp({
    bindings: {
      DB: countRows(testEnv.DB, () => {
        queries += 1;
      }),
    },
  });
  const ada = await app.signIn('ada_l');
  const { key } = await createApiKey(app, ada);
  const changed = (token: string) => token.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
  const credentials = [
    { cookie: changed(ada.cookie) },
    { cookie: `__Host-session=${'x'.repeat(54)}` },
    { headers: sentWith(changed(key)) },
    { headers: sentWith(`sc_${'x'.repeat(54)}`) },
  ];
  for (const sent of credentials) {
    queries = 0;
    expect([(await app.request('/api/auth/user', sent)).status, queries]).toEqual([401, 0]);
  }
});

it('60 sign-ins a minute from a network address don’t block the next sign-in from there', async () => {
  const app = await createTestApp();
  const address = '203.0.113.7';
  const statuses = ['GET /api/auth/twitter', 'GET /api/auth/twitter/callback'].map(
    async (route) => (await requestTimes(61, () => request(app, route, { address })))?.status,
  );
  expect(await Promise.all(statuses)).toEqual([302, 400]);
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
  const app = await createTestApp({ bindings: createTestLimits(stopped, few) });
  for (const [number, route] of listRoutes()
    .slice(0, UNCOUNTED.visitor + few.visitor)
    .entries()) {
    await request(app, route, { address: `2001:db8:1:2::${number.toString(16)}` });
  }
  expect((await request(app, 'GET /api/nothing', { address: '2001:db8:1:2::' })).status).toBe(429);
  expect((await request(app, 'GET /api/nothing', { address: '2001:db8:1:3::' })).status).toBe(404);
});

it('the networks of one customer’s IPv6 addresses have the limit of one network address together', async () => {
  const few = { ...RATE_LIMITS, address: 5 };
  const app = await createTestApp({ bindings: createTestLimits(stopped, few) });
  let number = 0;
  const send = () =>
    request(app, 'GET /api/nothing', { address: `2001:db8:7:${(number++).toString(16)}::1` });
  expect((await requestTimes(UNCOUNTED.address + few.address, send))?.status).toBe(404);
  expect((await send()).status).toBe(429);
  expect((await request(app, 'GET /api/nothing', { address: '2001:db8:8::1' })).status).toBe(404);
});

describe('after a stranger has used up the rate limit of a network', () => {
  const few = { ...RATE_LIMITS, address: 12, visitor: 7 };
  let app: TestApp;
  let ada: Person;
  let queries = 0;
  let number = 0;
  const fromNetwork = (sent: { cookie?: string; headers?: Record<string, string> }) =>
    app.request('/api/nothing', {
      ...sent,
      headers: { ...sent.headers, 'CF-Connecting-IP': `2001:db8:7:${(number++).toString(16)}::1` },
    });
  const statusOf = async (sent: Parameters<typeof fromNetwork>[0]) => (await fromNetwork(sent)).status;

  beforeEach(async () => {
    const DB = countRows(testEnv.DB, () => {
      queries += 1;
    });
    app = await createTestApp({ bindings: { ...createTestLimits(stopped, few), DB } });
    ada = await app.signIn('ada_l');
    await requestTimes(UNCOUNTED.address + few.address, () => fromNetwork({}));
  });

  it('requests with a session or an API key from there count for their person', async () => {
    const { key } = await createApiKey(app, ada);
    expect(await statusOf({})).toBe(429);
    expect(await statusOf({ cookie: ada.cookie })).toBe(404);
    expect(await statusOf({ headers: sentWith(key) })).toBe(404);
  });

  it('a valid session from there has no more requests than one visitor', async () => {
    const statuses = await Promise.all(
      Array.from({ length: few.visitor + 3 }, () => statusOf({ cookie: ada.cookie })),
    );
    expect(statuses.filter((status) => status === 404)).toHaveLength(few.visitor);
  });

  it('a made-up session from there is refused without a query', async () => {
    queries = 0;
    const madeUp = ada.cookie.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
    expect([await statusOf({ cookie: madeUp }), queries]).toEqual([429, 0]);
  });

  it('ended sessions from there have no more queries than the network has requests', async () => {
    const unlimited = await createTestApp();
    const cookies: string[] = [];
    for (let count = 0; count < few.address + 3; count += 1) {
      cookies.push((await unlimited.signIn('ada_l')).cookie);
    }
    await query('DELETE FROM sessions');
    queries = 0;
    for (const cookie of cookies) expect(await statusOf({ cookie })).toBe(429);
    expect(queries).toBeLessThanOrEqual(few.address);
    expect(queries).toBeGreaterThan(0);
  });
});
