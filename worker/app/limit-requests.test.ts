import { describe, expect, it } from 'vitest';
import {
  CALL_ATTEMPTS,
  MAX_CALLS_PER_DAY,
  MAX_CALLS_PER_HOUR,
  MAX_MESSAGES_PER_FOLLOWER,
  MAX_FREE_FOLLOWS,
  MAX_MUTED_CALLERS,
  MAX_OPEN_CHALLENGES,
  MAX_UNUSED_INTENTS,
  MAX_UPDATES_PER_CALL,
  MAX_UPDATES_PER_WINDOW,
  MAX_WALLETS,
  MINUTE_MS,
  RATE_LIMITS,
  SECOND_MS,
  TOKEN_SEARCHES,
  UPDATES_WINDOW_MS,
} from '#schema/constants.ts';
import type { ErrorBody } from '#schema/contracts/errors.ts';
import { listRoutes } from '../test-support/routes.ts';
import { createTestApp, type TestApp } from '../test-support/test-app.ts';
import { createTestLimits } from '../test-support/test-limits.ts';
import wranglerFile from '../../wrangler.toml?raw';
import { ROUTE_LIMITS } from './rate-limits.ts';

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

function composePage(): string {
  const rows = Object.entries(ROUTE_LIMITS).map(([route, { limit, per }]) => {
    const key = per === 'person' ? 'person, else network address' : 'network address';
    return `| \`${route.replaceAll('|', '\\|')}\` | ${RATE_LIMITS[limit]} | ${key} |`;
  });
  return `# Limits

A test writes this page from \`worker/app/rate-limits.ts\` and \`schema/constants.ts\`, and checks each line.

Cloudflare's \`ratelimits\` binding counts requests per minute and location. One network address may send
${RATE_LIMITS.visitor} requests a minute to all routes together. For IPv6, the first 64 bits count as the network address. A
refused request gets 429 with \`Retry-After\`.

| route | requests a minute | counted per |
|---|---|---|
${rows.join('\n')}

Telegram's own requests to its webhook count per chat instead: ${RATE_LIMITS.writes} a minute. Further messages of the chat get no answer.

A visitor's network may also ask for ${RATE_LIMITS.costly} mints without an ended call a minute. This counts mints in \`GET /api/prices\` and, for signed-out visitors, in \`GET /api/tokens/:mint\`.

These limits apply to all locations together, because the database or the message sender counts them:

| what | limit |
|---|---|
| attempts to open or end a call, per person | ${CALL_ATTEMPTS.burst} at once, then one per ${CALL_ATTEMPTS.everyMs / SECOND_MS} seconds |
| token searches, per caller | ${TOKEN_SEARCHES.burst} at once, then one per ${TOKEN_SEARCHES.everyMs / SECOND_MS} seconds |
| calls opened, per caller | ${MAX_CALLS_PER_HOUR} an hour, ${MAX_CALLS_PER_DAY} a day |
| updates, per caller | ${MAX_UPDATES_PER_WINDOW} in ${UPDATES_WINDOW_MS / MINUTE_MS} minutes |
| updates, per call | ${MAX_UPDATES_PER_CALL} |
| messages about one caller's calls, per follower | ${MAX_MESSAGES_PER_FOLLOWER} a minute; further ones wait |
| payments started without paying, per person | ${MAX_UNUSED_INTENTS} an hour |
| wallets, per person | ${MAX_WALLETS} |
| open challenges of wallets, per person | ${MAX_OPEN_CHALLENGES}; a newer one replaces the oldest |
| muted callers, per person | ${MAX_MUTED_CALLERS} |
| callers followed for free, per person | ${MAX_FREE_FOLLOWS} |
`;
}

describe('the rate limits', () => {
  it('are declared for every route, and for no other', () => {
    expect(Object.keys(ROUTE_LIMITS).toSorted()).toEqual(listRoutes());
  });

  it('are listed in docs/LIMITS.md (update it with npm test -- worker -t "docs/LIMITS" -u)', async () => {
    await expect(composePage()).toMatchFileSnapshot('../../docs/LIMITS.md');
  });

  it('have the same numbers in wrangler.toml', () => {
    const configured = [...wranglerFile.matchAll(/name = "LIMIT_(\w+)"[^[]*?limit = (\d+), period = 60/g)];
    const numbers = configured.map(([, name = '', limit]) => [name.toLowerCase(), Number(limit)]);
    expect(Object.fromEntries(numbers)).toEqual(RATE_LIMITS);
  });

  it('answer 429 with Retry-After on every route, until a minute has passed', async () => {
    const few = { visitor: 1_000_000, images: 5, reads: 4, writes: 3, costly: 2 };
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    let now = 0;
    const app = await createTestApp({ bindings: createTestLimits(clock, few) });
    for (const [route, { limit }] of Object.entries(ROUTE_LIMITS)) {
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

  it('answer in the product’s error format', async () => {
    const app = await createTestApp();
    const route = 'GET /api/callers/:usernameOrId/card.png';
    await requestTimes(RATE_LIMITS.costly, () => request(app, route, { address: '203.0.113.7' }));
    const refused = await request(app, route, { address: '203.0.113.7' });
    expect((await refused.json<ErrorBody>()).error.code).toBe('request.too_many');
  });

  it('count people behind one address separately, and each person at all addresses together', async () => {
    const app = await createTestApp();
    const [ada, ben] = [await app.signIn('ada_l'), await app.signIn('ben_l')];
    const route = 'GET /api/wallet/balances';
    const read = (cookie: string, address: string) => request(app, route, { address, cookie });
    await requestTimes(RATE_LIMITS.costly / 2, () => read(ada.cookie, '203.0.113.7'));
    await requestTimes(RATE_LIMITS.costly / 2, () => read(ada.cookie, '203.0.113.8'));
    expect((await read(ada.cookie, '203.0.113.9')).status).toBe(429);
    expect((await read(ben.cookie, '203.0.113.7')).status).toBe(200);
  });

  it('count requests with an invented session by their network address', async () => {
    const app = await createTestApp();
    const route = 'GET /api/wallet/balances';
    let number = 0;
    const send = () =>
      request(app, route, { address: '203.0.113.7', cookie: `__Host-session=made-up-${number++}` });
    await requestTimes(RATE_LIMITS.costly, send);
    expect((await send()).status).toBe(429);
  });

  it('count one network of IPv6 addresses as one visitor, over all routes', async () => {
    const few = { ...RATE_LIMITS, visitor: 20 };
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const app = await createTestApp({ bindings: createTestLimits(clock, few) });
    for (const [number, route] of listRoutes().slice(0, few.visitor).entries()) {
      await request(app, route, { address: `2001:db8:1:2::${number.toString(16)}` });
    }
    expect((await request(app, 'GET /api/nothing', { address: '2001:db8:1:2::' })).status).toBe(429);
    expect((await request(app, 'GET /api/nothing', { address: '2001:db8:1:3::' })).status).toBe(404);
  });
});
