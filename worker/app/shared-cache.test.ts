import { beforeEach, expect, inject, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { createSharedCache } from '#dev/stand-ins/cache/shared-cache.ts';
import { createPaidCaller, makeCall, MINTS, makeEndedCall } from '#test/people/callers.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { shareEnvironment } from '#test/shared-environment.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

const { WIF } = MINTS;
const CROWD = inject('isDeep') ? 1_000 : 100;

let app: TestApp;
let runs: number;
let databaseQueries: number;
let keyValueReads: number;
let names: Readonly<Record<string, string>>;
let get: (path: string) => Promise<Response>;

shareEnvironment(async () => {
  const DB = interceptDatabase(testEnv.DB, (_query, run) => {
    databaseQueries += 1;
    return run();
  });
  const PRICES = {
    get: (...query: Parameters<KVNamespace['get']>) => {
      keyValueReads += 1;
      return testEnv.PRICES.get(...query);
    },
    put: (...entry: Parameters<KVNamespace['put']>) => testEnv.PRICES.put(...entry),
  } as unknown as KVNamespace;
  app = await createTestApp({ bindings: { ...NO_LIMITS, DB, PRICES } });
  const { caller } = await createPaidCaller(app);
  const { id } = await makeEndedCall({ caller, mint: WIF });
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  await app.runCron();
  names = { CALLER: caller.id, HANDLE: caller.handle, ENDED: id };
});

beforeEach(async () => {
  await app.advance(MINUTE_MS);
  [runs, databaseQueries, keyValueReads] = [0, 0, 0];
  const fetch = createSharedCache({
    now: () => app.clock.now(),
    origin(request) {
      runs += 1;
      const { pathname, search } = new URL(request.url);
      return app.request(`${pathname}${search}`, { isFollowing: false });
    },
  });
  get = (path) => fetch(new Request(`https://solcallers.test${path}`));
});

const fill = (path: string) => path.replace(/CALLER|HANDLE|ENDED/, (name) => names[name] ?? '');

const keys = [
  '/',
  '/?search=ada',
  '/recent-calls',
  '/how-we-count',
  '/sealed-calls',
  '/terms',
  '/caller/CALLER',
  '/caller/HANDLE',
  '/call/ENDED',
  `/token/${WIF}`,
  '/api/tokens/called?q=wif',
  '/api/callers',
  '/api/callers?search=ada',
  '/api/token-calls/ended',
  `/api/prices?mints=${WIF}`,
  '/api/prices/sol',
  '/api/images/calls/ENDED',
  '/api/callers/CALLER/card.png',
  '/sitemap.xml',
];

it.each(keys)(
  'the worker runs once for many simultaneous requests for %s through the shared cache',
  async (path) => {
    const responses = await Promise.all(Array.from({ length: CROWD }, () => get(fill(path))));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(runs).toBe(1);
    [databaseQueries, keyValueReads] = [0, 0];
    const later = await get(fill(path));
    expect([later.status, later.headers.get('Cf-Cache-Status')]).toEqual([200, 'HIT']);
    expect({ runs, databaseQueries, keyValueReads }).toEqual({
      runs: 1,
      databaseQueries: 0,
      keyValueReads: 0,
    });
  },
);

it('a request that the shared cache can’t serve increases the counts of D1 and KV reads', async () => {
  await get('/api/prices/sol');
  await get('/');
  expect(databaseQueries).toBeGreaterThan(0);
  expect(keyValueReads).toBeGreaterThan(0);
});
