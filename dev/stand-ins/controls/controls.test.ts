import { mkdtempSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createFaults, type Fault } from './faults.ts';
import { openStoredJson } from './stored-json.ts';
import { idleChain, startTestEnvironment, type TestEnvironment } from './test-environment.ts';

const chainCalls: unknown[] = [];
const chain = {
  ...idleChain,
  expireBlockhash: () => void chainCalls.push('expire'),
  finalize: () => void chainCalls.push('finalize'),
  forget: (signature: string) => void chainCalls.push(['forget', signature]),
  setLoad: (microLamports: bigint) => void chainCalls.push(['load', microLamports]),
  setSlotMs: (slotMs?: number) => void chainCalls.push(['slot', slotMs]),
  makeUnreadable: (signature: string) => void chainCalls.push(['unreadable', signature]),
  makeAllReadable: () => void chainCalls.push('readable'),
  airdrop: (address: string, lamports: bigint) => `${address.slice(0, 4)} got ${lamports}`,
};
const PRICE = '/jupiter/price/v3?ids=DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

let environment: TestEnvironment;
beforeAll(async () => void (environment = await startTestEnvironment({ chain })));
afterAll(() => environment.end());
afterEach(() => remove('/faults'));

const control = (path: string, json: unknown) => environment.request(`/_control/${path}`, { json });
const addFault = (fault: Partial<Fault>) => control('faults', fault);
const remove = (path = '') => environment.request(`/_control${path}`, { method: 'DELETE' });
const statusOf = async (path: string) => (await environment.request(path)).status;
const bodyOf = async (path: string) => (await environment.request(path)).body;

test('DELETE /_control removes pinned prices, faults, limits and logged requests', async () => {
  await control('prices', { mint: 'Pinned', price: 7 });
  await control('jupiter/rate-limit', { limit: 0 });
  await addFault({ service: 'x', status: 503 });
  expect(await statusOf(PRICE)).toBe(429);
  await remove();
  expect(await bodyOf('/_control/faults')).toEqual([]);
  expect(await bodyOf('/_control/requests')).toMatchObject({ count: 0 });
  expect(await bodyOf(PRICE.replace(/ids=.*/, 'ids=Pinned'))).toEqual({});
  expect(await statusOf(PRICE)).toBe(200);
});

describe('a fault', () => {
  const SEND = '/telegram/bot1:0123456789/sendMessage';
  test.each([
    ['x', 503, '/x/2/users/me', { title: 'Service Unavailable', status: 503 }],
    ['x', 429, '/x/2/users/me', { title: 'Too Many Requests', status: 429 }],
    ['telegram', 503, SEND, { ok: false, error_code: 503 }],
    ['telegram', 429, SEND, { parameters: { retry_after: 3 } }],
    ['telegram', 403, SEND, { ok: false, description: 'Forbidden: bot was blocked by the user' }],
    ['jupiter', 503, PRICE, { code: 503 }],
    ['dexscreener', 503, '/dexscreener/tokens/v1/solana/x', { code: 503 }],
  ] as const)(
    'a fault makes %s respond with status %i in the service’s own error format',
    async (service, status, path, body) => {
      await addFault({ service, status });
      const response = await environment.request(path);
      expect(response).toMatchObject({ status, body });
      expect(response.headers.get('retry-after')).toBe(service === 'telegram' && status === 429 ? '3' : null);
      expect(response.headers.has('x-rate-limit-reset')).toBe(service === 'x' && status === 429);
      await remove('/faults');
      expect(await statusOf(path)).not.toBe(status);
    },
  );

  test('a fault applies only to its path and only `count` times', async () => {
    await addFault({ service: 'jupiter', status: 500, count: 2, path: '/price/' });
    expect(await statusOf('/jupiter/tokens/v2/search?query=bonk')).toBe(200);
    expect(await statusOf('/jupiter/icons/BONK.png')).toBe(200);
    for (const status of [500, 500, 200]) expect(await statusOf(PRICE)).toBe(status);
    expect(await bodyOf('/_control/faults')).toEqual([]);
  });

  test('a fault with a share of 0.1 affects about a tenth of the requests, and affects the same requests in every run', async () => {
    const hit = async () => {
      const faults = createFaults();
      faults.add({ service: 'x', status: 500, share: 0.1 });
      const verdicts = [];
      for (let request = 0; request < 500; request += 1) verdicts.push(await faults.apply('x'));
      expect(faults.struck()).toHaveLength(verdicts.filter((verdict) => verdict !== undefined).length);
      return verdicts;
    };
    const verdicts = await hit();
    const share = verdicts.filter((verdict) => verdict?.status === 500).length / verdicts.length;
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.15);
    expect(await hit()).toEqual(verdicts);
  });

  test('a fault with cutResponse sends the first half of the response', async () => {
    const body = await bodyOf(PRICE);
    await addFault({ service: 'jupiter', cutResponse: true, count: 1 });
    const cut = await environment.request(PRICE);
    expect(cut.status).toBe(200);
    expect(cut.body).toBe(JSON.stringify(body).slice(0, cut.body.length));
    expect(() => JSON.parse(cut.body)).toThrow();
    expect(await bodyOf('/_control/faults/struck')).toContainEqual(
      expect.objectContaining({ service: 'jupiter' }),
    );
  });

  test('a Solana fault can be limited to one method or to one of the two endpoints', async () => {
    const { fault } = environment;
    await addFault({ service: 'solana', status: 502, path: 'getBalance', count: 2 });
    await addFault({ service: 'solana-fallback', dropResponse: true });
    expect(await fault('solana-primary', { method: 'getSlot' })).toBeUndefined();
    for (const endpoint of ['solana-primary', 'solana-fallback'] as const) {
      expect(await fault(endpoint, { method: 'getBalance' })).toEqual({ status: 502 });
    }
    expect(await fault('solana-primary', { method: 'getBalance' })).toBeUndefined();
    expect(await fault('solana-fallback', { method: 'getBalance' })).toEqual({ dropResponse: true });
  });
});

test('the request log has the number of requests by service, including failures but not pages or controls', async () => {
  await remove('/requests');
  await environment.request(PRICE);
  await environment.request('/jupiter/icons/BONK.png');
  await environment.request('/dexscreener/tokens/v1/solana/x');
  await addFault({ service: 'jupiter', status: 503, count: 1 });
  await environment.request(PRICE);
  await addFault({ service: 'jupiter', drop: true, count: 1 });
  await expect(fetch(environment.url + PRICE)).rejects.toThrow('fetch failed');
  const common = { service: 'jupiter', method: 'GET', path: PRICE };
  expect(await bodyOf('/_control/requests?service=jupiter')).toEqual({
    count: 3,
    requests: [200, 503, null].map((status) => ({ ...common, status })),
  });
  expect((await bodyOf('/_control/requests')).count).toBe(4);
  expect(await statusOf('/_control/requests?service=mars')).toBe(400);
  await remove('/requests');
  expect(await bodyOf('/_control/requests')).toEqual({ count: 0, requests: [] });
});

test.each([
  ['/_control/prices', { price: 1 }],
  ['/_control/prices', { mint: 'm', price: 1, source: 'coingecko' }],
  ['/_control/prices', { mint: 'm', price: true }],
  ['/_control/prices', { mint: 'm', price: 1, typo: 1 }],
  ['/_control/prices', { mint: 'm', price: 1, ageMs: -1 }],
  ['/_control/prices', [{ mint: 'm', price: 1 }, { mint: 'n' }]],
  ['/_control/jupiter/rate-limit', { limit: -1 }],
  ['/_control/jupiter/rate-limit', { limit: 1, windowMs: 10 }],
  ['/_control/faults', { service: 'x' }],
  ['/_control/faults', { service: 'mars', status: 500 }],
  ['/_control/faults', { service: 'x', status: 200 }],
  ['/_control/faults', { service: 'x', status: 500, count: 0 }],
  ['/_control/faults', { service: 'x', dropResponse: true }],
  ['/_control/faults', { service: 'solana', dropResponse: false }],
  ['/_control/telegram/start', {}],
  ['/_control/solana/forget', {}],
])('the control API refuses an invalid body for %s with a reason: %o', async (path, json) => {
  const { status, body } = await environment.request(path, { json });
  expect(status).toBe(400);
  expect(body.error).toMatch(/\S/);
});

test('the stand-ins refuse requests from foreign web pages', async () => {
  for (const [headers, status] of [
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'http://localhost:8787', 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: environment.url, 'sec-fetch-site': 'same-origin' }, 200],
    [{}, 200],
  ] as const) {
    const response = await environment.request('/_control/faults', { method: 'DELETE', headers });
    expect([headers, response.status]).toEqual([headers, status]);
  }
});

test('the stand-ins refuse requests to a foreign host name (DNS rebinding)', async () => {
  const { port } = new URL(environment.url);
  const status = await new Promise((resolve, reject) => {
    const headers = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` };
    httpRequest({ host: '127.0.0.1', port, path: '/_control/tweets', headers }, (response) =>
      resolve(response.resume().statusCode),
    )
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

describe('openStoredJson', () => {
  const schema = z.object({ count: z.number() });
  const folder = mkdtempSync(join(tmpdir(), 'stored-'));

  test('openStoredJson writes many changes once, after a pause or on flush', () => {
    vi.useFakeTimers();
    try {
      const file = join(folder, 'soon.json');
      const stored = openStoredJson({ file, schema, initial: { count: 0 } });
      const saved = () => openStoredJson({ file, schema, initial: { count: -1 } }).value.count;
      stored.flush();
      expect(saved()).toBe(-1);
      for (stored.value.count = 0; stored.value.count < 1000; stored.value.count += 1) stored.saveSoon();
      expect([saved(), vi.getTimerCount()]).toEqual([-1, 1]);
      vi.runAllTimers();
      expect([saved(), vi.getTimerCount()]).toEqual([1000, 0]);
      stored.value.count = 7;
      stored.saveSoon();
      stored.flush();
      expect([saved(), vi.getTimerCount()]).toEqual([7, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('openStoredJson throws an error that names npm run reset if the file is invalid', () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{"count":');
    expect(() => openStoredJson({ file, schema, initial: { count: 0 } })).toThrow('npm run reset');
  });
});
