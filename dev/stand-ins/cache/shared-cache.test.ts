import { beforeEach, expect, it } from 'vitest';
import { createSharedCache } from './shared-cache.ts';

const PUBLIC = 'public, max-age=10, stale-while-revalidate=30';

let now: number;
let runs: Request[];
let respond: (request: Request) => Response;
let fetch: (request: Request) => Promise<Response>;

beforeEach(() => {
  now = 0;
  runs = [];
  respond = () => new Response(`run ${runs.length}`, { headers: { 'Cache-Control': PUBLIC } });
  fetch = createSharedCache({
    now: () => now,
    origin: async (request) => {
      runs.push(request);
      return respond(request);
    },
  });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new Request(`https://solcallers.test${path}`, { headers }));

it('the local shared cache serves a fresh entry to every client', async () => {
  const first = await get('/list', { Cookie: 'session=one' });
  now = 9_999;
  const second = await get('/list', { Cookie: 'session=two', 'Cache-Control': 'no-cache' });
  expect([first.headers.get('Cf-Cache-Status'), second.headers.get('Cf-Cache-Status')]).toEqual([
    'MISS',
    'HIT',
  ]);
  expect([await first.text(), await second.text(), runs.length]).toEqual(['run 1', 'run 1', 1]);
});

it('the local shared cache serves and renews a stale entry until stale-while-revalidate expires', async () => {
  await get('/list');
  now = 11_000;
  expect(await (await get('/list')).text()).toBe('run 1');
  expect(await (await get('/list')).text()).toBe('run 2');
  now += 41_000;
  expect(await (await get('/list')).text()).toBe('run 3');
});

it('the local shared cache sends the origin one request for a thousand simultaneous cache misses', async () => {
  const responses = await Promise.all(Array.from({ length: 1_000 }, () => get('/list')));
  expect(new Set(await Promise.all(responses.map((response) => response.text())))).toEqual(
    new Set(['run 1']),
  );
  expect(runs).toHaveLength(1);
});

it('the local shared cache stores a 200 without a Cache-Control header for two hours', async () => {
  respond = () => new Response(`run ${runs.length}`);
  await get('/forgotten');
  now = 7_199_000;
  expect(await (await get('/forgotten')).text()).toBe('run 1');
});

it.each([
  ['private, no-store', {}],
  ['no-cache', {}],
  [PUBLIC, { 'Set-Cookie': 'session=secret' }],
])(
  'the local shared cache stores no response with Cache-Control “%s” and the other headers %o',
  async (directive, headers) => {
    respond = () =>
      new Response(`run ${runs.length}`, { headers: { 'Cache-Control': directive, ...headers } });
    const responses = await Promise.all([get('/mine'), get('/mine')]);
    expect(await Promise.all(responses.map((response) => response.text()))).toEqual(['run 1', 'run 2']);
  },
);

it('the local shared cache has a separate entry for each order of the same query parameters', async () => {
  for (const path of ['/list', '/list?a=1&b=2', '/list?b=2&a=1']) await get(path);
  expect(runs).toHaveLength(3);
});

it('the local shared cache compares ETags itself and never sends If-None-Match to the origin', async () => {
  respond = () => new Response('same', { headers: { 'Cache-Control': PUBLIC, ETag: 'W/"1"' } });
  await get('/list');
  const unchanged = await get('/list', { 'If-None-Match': 'W/"1"' });
  const changed = await get('/list', { 'If-None-Match': 'W/"0"' });
  expect([unchanged.status, changed.status]).toEqual([304, 200]);
  now = 11_000;
  await get('/list', { 'If-None-Match': 'W/"1"' });
  expect(runs.map(({ headers }) => headers.has('If-None-Match'))).toEqual([false, false]);
});

it('the local shared cache uses the same entry for HEAD and GET', async () => {
  const head = await fetch(new Request('https://solcallers.test/list', { method: 'HEAD' }));
  expect(await head.text()).toBe('');
  expect(await (await get('/list')).text()).toBe('run 1');
});

it('the local shared cache passes on every write, and every request with an Authorization header, to the origin', async () => {
  await fetch(new Request('https://solcallers.test/list', { method: 'POST', body: 'x' }));
  await get('/list', { Authorization: 'Bearer x' });
  await get('/list', { Authorization: 'Bearer x' });
  expect(runs.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
});
