import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { MAX_BODY_BYTES } from '#schema/constants/app.ts';
import { MAX_TELEGRAM_UPDATE_BYTES } from '#schema/constants/messages.ts';
import { MAX_SHARE_BODY_BYTES } from '#schema/constants/public.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { errorStatuses, type ErrorBody } from '#schema/contracts/errors.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createCaller, MINTS } from '#test/people/callers.ts';
import { readDatabase } from '#test/database/database.ts';
import { endlessBody } from '#test/access/fuzz.ts';
import { listRoutes, requestOf, ROUTES, schemasOf } from '#test/access/routes.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

/** All routes that take a body, except Telegram's webhook, which needs a secret. */
const bodyRoutes = listRoutes().filter(
  (route) =>
    /^(POST|PATCH|PUT) /.test(route) &&
    // These routes return 404 to everyone but operators (operators.test.ts).
    !route.includes(' /api/operators/') &&
    !route.endsWith('/end') &&
    !route.endsWith('/mutes/:callerId') &&
    !route.endsWith('/webhook/samples') &&
    !route.endsWith('/telegram/webhook'),
);
const fieldsOf = (route: string) => {
  const schema = schemasOf(route)['json'];
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
};
const badBodiesOf = (route: string): [name: string, body: unknown][] => [
  ['an empty body', ''],
  ['malformed JSON', '{"a":'],
  ['an array', []],
  ['null', null],
  ['a number', 7],
  ['a string', '"text"'],
  ['an empty object', {}],
  ['objects for all fields', Object.fromEntries(fieldsOf(route).map((field) => [field, { $ne: '' }]))],
  ['arrays nested 10,000 deep', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['a field with arrays nested 10,000 deep', `{"callId":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['a __proto__ key', '{"__proto__":{"callerId":"x"}}'],
];

async function expectErrorBody(response: Response): Promise<ErrorBody> {
  const text = await response.text();
  expect(response.headers.get('Content-Type')).toContain('application/json');
  const body = JSON.parse(text) as ErrorBody;
  expect(response.status).toBe(errorStatuses[body.error.code]);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(body.message).toBe(body.error.message);
  expect(text).not.toMatch(/\n\s+at |node_modules|SQLITE|D1_|Invalid (?:input|string|option)/);
  return body;
}

const send = (route: string, body: unknown, type = 'application/json') => {
  const [method = '', path = ''] = route.split(' ');
  return app.request(path, { method, body, cookie: caller.cookie, headers: { 'Content-Type': type } });
};

// Specification 8.51
it('every route rejects an invalid body without changing any data', async () => {
  app = await createTestApp({ bindings: NO_LIMITS });
  const before = await readDatabase();
  for (const route of bodyRoutes) {
    for (const [name, body] of badBodiesOf(route)) {
      const { error } = await expectErrorBody(await send(route, body));
      expect(error.code, `${route}: ${name}`).toBe('request.invalid');
    }
  }
  expect(await readDatabase()).toEqual(before);
});

it('every route rejects a body whose content type is not JSON', async () => {
  const body = { bio: 'x', subscriptionPrice: '', monthlyFee: null };
  for (const route of bodyRoutes) {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const { error } = await expectErrorBody(await send(route, body, type));
      expect(error.code).toBe('request.invalid');
    }
  }
});

it('every route returns 413 for a chunked body that is too large, without a declared length', async () => {
  const most = Math.max(MAX_BODY_BYTES, MAX_SHARE_BODY_BYTES, MAX_TELEGRAM_UPDATE_BYTES);
  for (const route of listRoutes().filter((each) => /^(POST|PATCH|PUT|DELETE) /.test(each))) {
    const response = await send(route, endlessBody(most * 2));
    expect((await expectErrorBody(response)).error.code, route).toBe('request.too_large');
  }
});

// Specification 4.43, 5.29
it('every route that needs a session returns 401 without one, before validating the body', async () => {
  const routes = ROUTES.filter(({ facts }) => facts.session === 'required').map(({ route }) => route);
  expect(routes.length).toBeGreaterThan(40);
  for (const route of routes) {
    const { path, ...init } = requestOf(route);
    await expectRefusal(app.request(path, init), 'auth.required');
  }
});

/** Parameters that are invalid or unknown in every list. */
const badQueries = [
  'unknown=1',
  'offset=1',
  'limit=0',
  'limit=101',
  'limit=1.5',
  'limit=01',
  'limit=',
  'limit=ten',
  'cursor=',
  'cursor=nonsense',
  `cursor=${'A'.repeat(300)}`,
  `cursor=${btoa('[1]')}`,
  `cursor=${btoa('["1","x"]')}`,
  `cursor=${btoa('[1e999,"x"]')}`,
  'sort=email',
  'sort=',
  'order=up',
  'maxFee=-1',
  'maxFee=0.15',
  'maxFee=1e3',
  'maxFee=00.5',
  'verified=false',
  'paid=yes',
  `search=${'x'.repeat(61)}`,
  'type=sell',
  'type=BUY',
];

// Specification 9.23
it('every list refuses invalid and unknown parameters', async () => {
  const lists = ROUTES.filter(
    ({ facts, schemas: { query } }) =>
      facts.session !== 'operator' && query instanceof z.ZodObject && 'limit' in query.shape,
  );
  expect(lists.length).toBeGreaterThan(5);
  for (const { route } of lists) {
    const path = route.replace('GET ', '').replace(/:\w+/, caller.id);
    for (const search of badQueries) {
      await expectRefusal(caller.get(`${path}?${search}`), 'request.invalid');
    }
    const { message } = await expectRefusal(caller.get(`${path}?limit=1&limit=2`), 'request.invalid');
    expect(message, route).toBe('Use `limit` once.');
    await app.advance(MINUTE_MS);
  }
});

const ids = [
  '%00',
  '%E0%A4%A',
  '%',
  '%2e%2e%2f',
  "'%20OR%20'1'='1",
  'a'.repeat(5_000),
  '%F0%9F%AA%81',
  '[object Object]',
  'function Object() { [native code] }',
  '..%5c',
];

/** Routes that respond alike to all unknown ids. */
const SAME_FOR_UNKNOWN_IDS = [
  'GET /api/subscriptions/caller/:id',
  'DELETE /api/subscriptions/free/:callerId',
  'DELETE /api/paper-follows/:callerId',
  'GET /api/user/telegram-chats/:id/others',
];

it('a request with a hostile id in its path gets a client error', async () => {
  const { request } = await createTestApp({ bindings: NO_LIMITS });
  const routes = listRoutes().filter((route) => / \/api\/.*:\w/.test(route));
  for (const route of routes.filter((each) => !SAME_FOR_UNKNOWN_IDS.includes(each))) {
    for (const id of ids) {
      const { path, ...init } = requestOf(route, id);
      await expectErrorBody(await request(path, { ...init, cookie: caller.cookie }));
    }
  }
});

const paths = [
  '/api',
  '/api/',
  '/api/nothing',
  '/api/callers/a/b',
  '/api/auth',
  '/api/auth/user/',
  '//api/callers',
];

// Specification 8.51
it('an unknown path returns 404 with the error body', async () => {
  for (const path of paths) await expectRefusal(app.request(path), 'request.not_found');
});

it('a known path returns 404 for a method that it does not support', async () => {
  for (const [method, path] of [
    ['POST', '/api/callers'],
    ['DELETE', '/api/auth/user'],
    ['PUT', '/api/user/profile'],
    ['GET', '/api/user/profile'],
    ['GET', '/api/subscriptions'],
    ['GET', '/api/solana/send-transaction'],
  ] as const) {
    await expectRefusal(app.request(path, { method, cookie: caller.cookie }), 'request.not_found');
  }
});

it('a failed navigation gets an HTML error page without markup from the request', async () => {
  const response = await app.request('/api/auth/twitter/callback?code=%3Cscript%3E&state=x', {
    headers: { 'Sec-Fetch-Mode': 'navigate' },
  });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=UTF-8']);
  const text = await response.text();
  expect(text).toContain('Please sign in again.');
  expect(text).not.toContain('<script');
});

// Specification 2.33
it('the count of page views accepts only a short path', async () => {
  const count = (path: string) => app.request('/api/events/page-view', { method: 'POST', body: { path } });
  expect(await readResponse(count('/caller/:username'), 202)).toEqual({ counted: true });
  for (const path of ['', 'caller', 'https://evil.example', `/${'x'.repeat(200)}`]) {
    await expectRefusal(count(path), 'request.invalid');
  }
});

it('the API of prices and tokens rejects unknown parameters and invalid mints', async () => {
  for (const path of [
    '/api/prices',
    '/api/prices?mints=',
    '/api/prices?mints=,,',
    '/api/prices?mints=nonsense',
    `/api/prices?mints=${MINTS.WIF}&fresh=1`,
    '/api/prices/sol?fresh=1',
    '/api/tokens/nonsense',
  ]) {
    await expectRefusal(app.request(path), 'request.invalid');
  }
});
