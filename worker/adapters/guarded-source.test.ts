import { beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import { SourceBackoffError } from '../ports/price-source.ts';
import { BULK } from '../ports/price-source.ts';
import { createSourceGuard, type SourceGuard, type SourceRequest } from './guarded-source.ts';
import type { SharedBudget } from './shared-budget.ts';

const START = Date.UTC(2026, 5, 1);
let now = START;
const clock: Clock = { now: () => now, sleep: () => Promise.reject(new Error('this test must not sleep')) };
let guard: SourceGuard;
let value: () => Response | Promise<Response>;
const fetched = vi.fn<typeof fetch>();
let warned: MockInstance;

beforeEach(() => {
  now = START;
  guard = createSourceGuard({ source: 'fake', clock, perMinute: 6_000 });
  value = () => Response.json('fine');
  fetched.mockReset().mockImplementation(async () => value());
  vi.spyOn(globalThis, 'fetch').mockImplementation(fetched);
  warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
const sendRequest = (isUrgent: boolean, person: string | null = null) =>
  guard.sendRequest({ url: 'https://fake.example/', isUrgent, person, read: String });
const bulk = () => sendRequest(false);
const urgent = (person?: string) => sendRequest(true, person);
/**
 * Returns null if the source responds, and 'failed' if it fails. If the source is paused, returns the ms from
 * the start of the test to the end of the pause.
 */
const waitOf = async (requested: Promise<unknown>) =>
  requested.then(
    () => null,
    (error: unknown) => (error instanceof SourceBackoffError ? error.retryAt - START : 'failed'),
  );
const allow = (perMinute: number, budget?: SharedBudget) => {
  guard = createSourceGuard({ source: 'fake', clock, perMinute, ...(budget && { budget }) });
};

const failures: readonly (readonly [string, () => Response | Promise<Response>])[] = [
  ['a cut connection', () => Promise.reject(new TypeError('Network connection lost.'))],
  ['a timeout', () => Promise.reject(new DOMException('too late', 'TimeoutError'))],
  ['a 503', () => new Response('down', { status: 503 })],
  ['a body that is not JSON', () => new Response('<html>')],
];

it.each(failures)(
  'a failing source gets no bulk requests for 30 seconds after five consecutive failures (%s)',
  async (_name, fail) => {
    value = fail;
    for (let count = 0; count < 5; count++) expect(await waitOf(bulk())).toBe('failed');
    expect(await waitOf(bulk())).toBe(30 * SECOND_MS);
    now += 30 * SECOND_MS - 1;
    expect(await waitOf(bulk())).toBe(30 * SECOND_MS);
    expect(fetched).toHaveBeenCalledTimes(5);
    expect(warned).toHaveBeenCalledTimes(1);
  },
);

it('a source that does not respond within five seconds counts as failed', async () => {
  const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late);
  fetched.mockImplementation(async (_url, init) => {
    init?.signal?.throwIfAborted();
    return new Promise(() => undefined);
  });
  expect(await waitOf(urgent())).toBe('failed');
  expect(limits).toHaveBeenCalledExactlyOnceWith(5 * SECOND_MS);
});

it('a body that cannot be parsed counts as a failure of its source', async () => {
  const refusing = () =>
    guard.sendRequest({
      url: 'https://fake.example/',
      ...BULK,
      read: (body) => z.array(z.string()).parse(body),
    });
  for (let count = 0; count < 5; count++) expect(await waitOf(refusing())).toBe('failed');
  expect(await waitOf(bulk())).toBe(30 * SECOND_MS);
});

it.each<[string, Partial<SourceRequest<string>>]>([
  ['bug in reading a response', { read: (body) => (body as { missing: { name: string } }).missing.name }],
  ['invalid URL', { url: 'nowhere' }],
  ['invalid header', { init: { headers: { 'x-api-key': 'one\ntwo' } } }],
])('a source still gets bulk requests after an error of our own: %s', async (_name, request) => {
  const broken = () => guard.sendRequest({ url: 'https://fake.example/', ...BULK, read: String, ...request });
  for (let count = 0; count < 6; count++) await expect(broken()).rejects.toThrow(TypeError);
  expect(await bulk()).toBe('fine');
  expect(warned).not.toHaveBeenCalled();
});

it('after 30 seconds, a failing source gets one probe request, whose result opens or closes the breaker', async () => {
  value = () => new Response('down', { status: 503 });
  for (let count = 0; count < 5; count++) await waitOf(bulk());
  now += 30 * SECOND_MS;
  const probes = await Promise.all([waitOf(bulk()), waitOf(bulk()), waitOf(bulk())]);
  expect(probes).toEqual(['failed', 36 * SECOND_MS, 36 * SECOND_MS]);
  expect(await waitOf(bulk())).toBe(60 * SECOND_MS);
  now += 30 * SECOND_MS;
  value = () => Response.json('fine');
  expect(await bulk()).toBe('fine');
  expect(await bulk()).toBe('fine');
});

it('a failing source gets another probe six seconds after a probe that never finishes', async () => {
  value = () => new Response('down', { status: 503 });
  for (let count = 0; count < 5; count++) await waitOf(bulk());
  now += 30 * SECOND_MS;
  value = () => new Promise(() => undefined);
  void bulk();
  value = () => Response.json('fine');
  expect(await waitOf(bulk())).toBe(36 * SECOND_MS);
  now += 6 * SECOND_MS;
  expect(await bulk()).toBe('fine');
});

it('a source still gets bulk requests after fewer than five failures in a row', async () => {
  for (const isFine of [false, false, false, false, true, false, false, false, false]) {
    value = () => (isFine ? Response.json('fine') : new Response('down', { status: 500 }));
    await waitOf(bulk());
  }
  value = () => Response.json('fine');
  expect(await bulk()).toBe('fine');
});

it('a failing source still gets urgent requests, and a successful urgent request closes the breaker', async () => {
  value = () => new Response('down', { status: 503 });
  for (let count = 0; count < 5; count++) await waitOf(bulk());
  expect(await waitOf(urgent())).toBe('failed');
  value = () => Response.json('fine');
  expect(await urgent()).toBe('fine');
  expect(await bulk()).toBe('fine');
});

/** Makes 100 requests and counts those that are sent immediately. */
const takeAll = async (request: () => Promise<unknown>) => {
  let taken = 0;
  for (let count = 0; count < 100; count++) if ((await waitOf(request())) === null) taken++;
  return taken;
};

it('a rate limit reserves a twelfth of its requests for urgent requests', async () => {
  allow(24);
  expect(await takeAll(bulk)).toBe(22);
  expect(await waitOf(bulk())).toBe(MINUTE_MS);
  expect([await waitOf(urgent()), await waitOf(urgent())]).toEqual([null, null]);
});

it('a rate limit holds in every window of 60 seconds', async () => {
  allow(24);
  now = START + 50 * SECOND_MS;
  expect(await takeAll(bulk)).toBe(22);
  now = START + MINUTE_MS;
  expect(await waitOf(bulk())).toBe(110 * SECOND_MS);
  now = START + 110 * SECOND_MS;
  expect(await takeAll(bulk)).toBe(22);
});

it('a rate limit ignores the rate-limit headers of responses that were accepted', async () => {
  allow(24);
  const headers = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9' };
  value = () => Response.json('fine', { headers });
  expect(await takeAll(bulk)).toBe(22);
});

it('requests that have no response yet count towards a rate limit', async () => {
  allow(6);
  const { promise, resolve } = Promise.withResolvers<void>();
  value = async () => {
    await promise;
    return Response.json('fine');
  };
  const together = Array.from({ length: 8 }, () => waitOf(bulk()));
  resolve();
  const waits = await Promise.all(together);
  expect(waits.filter((wait) => wait === null)).toHaveLength(5);
  expect(waits.filter((wait) => wait === MINUTE_MS)).toHaveLength(3);
});

it('a rate limit cannot be used up by a single person', async () => {
  allow(60);
  await bulk();
  const takenBy = (person: string) => takeAll(() => urgent(person));
  expect([await takenBy('one'), await takenBy('two'), await takenBy('three')]).toEqual([12, 10, 8]);
  expect(await waitOf(urgent('one'))).toBe(MINUTE_MS);
  expect(await waitOf(urgent('four'))).toBeNull();
});

it('a rate limit allows each person the two requests of a quote, even if only the reserve is left', async () => {
  allow(24);
  await takeAll(bulk);
  const takenBy = (person: string) => takeAll(() => urgent(person));
  expect([await takenBy('one'), await takenBy('two')]).toEqual([2, 2]);
});

it('each person’s share of a rate limit is available again after a minute', async () => {
  allow(60);
  await takeAll(() => urgent('one'));
  now += MINUTE_MS;
  expect([await waitOf(urgent('one')), await waitOf(urgent('one'))]).toEqual([null, null]);
});

it('no request is sent or counted while other isolates have used up the shared budget', async () => {
  let waitMs = 7_000;
  allow(24, { take: async () => waitMs });
  expect(await takeAll(bulk)).toBe(0);
  expect(await waitOf(bulk())).toBe(7_000);
  expect(fetched).not.toHaveBeenCalled();
  waitMs = 0;
  expect(await takeAll(bulk)).toBe(22);
});

it.each([
  ['a number of seconds', '7', 7_000],
  ['a date', new Date(START + 9_000).toUTCString(), 9_000],
  ['missing', null, 10_000],
  ['invalid', 'later', 10_000],
  ['a day', '86400', 5 * MINUTE_MS],
])(
  'a response with status 429 whose Retry-After is $0 pauses all requests for $2 ms',
  async (_name, retryAfter, waitMs) => {
    value = () =>
      new Response('no', { status: 429, headers: retryAfter === null ? {} : { 'Retry-After': retryAfter } });
    expect(await waitOf(bulk())).toBe(waitMs);
    value = () => Response.json('fine');
    expect([await waitOf(bulk()), await waitOf(urgent())]).toEqual([waitMs, waitMs]);
    expect(fetched).toHaveBeenCalledTimes(1);
    now += waitMs;
    expect([await urgent(), await bulk()]).toEqual(['fine', 'fine']);
  },
);

it.each([
  ['in 44 s', START / SECOND_MS + 44, 45_000],
  ['within this second', START / SECOND_MS, 1_000],
  ['in a minute', START / SECOND_MS + 60, MINUTE_MS],
  ['a day later', START / SECOND_MS + 86_400, 10_000],
  ['in the past', 9, 10_000],
])(
  'a response with status 429 and Jupiter’s reset time $0, but no Retry-After, pauses requests for $2 ms',
  async (_, reset, waitMs) => {
    const headers = { 'x-ratelimit-reset': String(reset) };
    value = () => new Response('no', { status: 429, headers });
    expect(await waitOf(bulk())).toBe(waitMs);
  },
);

it("a response with status 429 doesn't count as a failure for the circuit breaker", async () => {
  for (let count = 0; count < 9; count++) {
    value = () => new Response('no', { status: 429, headers: { 'Retry-After': '1' } });
    await waitOf(urgent());
    now += SECOND_MS;
  }
  value = () => Response.json('fine');
  expect(await bulk()).toBe('fine');
});
