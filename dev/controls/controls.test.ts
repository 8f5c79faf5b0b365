import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startStandIns } from '../stand-ins.ts';
import { signIn } from '../x/test-sign-in.ts';
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
  airdrop: (address: string, lamports: bigint) => `${address.slice(0, 4)} got ${lamports}`,
};
const PRICE = '/jupiter/price/v3?ids=DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

let environment: TestEnvironment;
beforeAll(async () => void (environment = await startTestEnvironment({ chain })));
afterAll(() => environment.end());
afterEach(() => environment.request('/_control/faults', { method: 'DELETE' }));

const addFault = (json: Partial<Fault>) => environment.request('/_control/faults', { json });

test('DELETE /_control removes pinned prices, faults, limits and logged requests', async () => {
  await environment.request('/_control/prices', { json: { mint: 'Pinned', price: 7 } });
  await environment.request('/_control/jupiter/rate-limit', { json: { limit: 0 } });
  await addFault({ service: 'x', status: 503 });
  expect((await environment.request(PRICE)).status).toBe(429);
  await environment.request('/_control', { method: 'DELETE' });
  expect((await environment.request('/_control/faults')).body).toEqual([]);
  expect((await environment.request('/_control/requests')).body).toMatchObject({ count: 0 });
  expect((await environment.request(PRICE.replace(/ids=.*/, 'ids=Pinned'))).body).toEqual({});
  expect((await environment.request(PRICE)).status).toBe(200);
});

test('an added token has the same texts at both sources, and the name of an account on X can be any text', async () => {
  const [mint, text] = ['AddedMint', '"><script>'];
  const json = [{ mint, symbol: text, name: text, sentUrl: text }];
  await environment.request('/_control/tokens', { json });
  await environment.request('/_control/prices', { json: { mint, price: 7 } });
  const [token] = (await environment.request(`/jupiter/tokens/v2/search?query=${mint}`)).body;
  expect(token).toMatchObject({ id: mint, symbol: text, name: text, icon: text, usdPrice: 7 });
  const pairs = (await environment.request(`/dexscreener/token-pairs/v1/solana/${mint}`)).body;
  expect(pairs).toContainEqual(
    expect.objectContaining({
      baseToken: { address: mint, symbol: text, name: text },
      info: expect.objectContaining({ imageUrl: text }),
    }),
  );
  await environment.request('/_control', { method: 'DELETE' });
  expect((await environment.request(`/jupiter/tokens/v2/search?query=${mint}`)).body).toEqual([]);

  await environment.request('/_control/x/account', { json: { handle: 'newcomer', fields: { name: text } } });
  const accessToken = (await signIn(environment, { loginAs: 'newcomer' })).accessToken();
  const me = await environment.request('/x/2/users/me', {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(me.body.data).toMatchObject({ name: text, username: 'newcomer' });
});

describe('a fault', () => {
  test.each([
    ['x', '/x/2/users/me', { title: 'Service Unavailable', status: 503 }],
    ['telegram', '/telegram/bot1:0123456789/getMe', { ok: false, error_code: 503 }],
    ['jupiter', PRICE, { code: 503 }],
    ['dexscreener', '/dexscreener/tokens/v1/solana/x', { code: 503 }],
  ] as const)(
    'a fault makes %s respond with the status of the fault, in the service’s own error format',
    async (service, path, shape) => {
      await addFault({ service, status: 503 });
      const { status, body } = await environment.request(path);
      expect(status).toBe(503);
      expect(body).toMatchObject(shape);
      await environment.request('/_control/faults', { method: 'DELETE' });
      expect((await environment.request(path)).status).not.toBe(503);
    },
  );

  test('a fault with status 429 sends Retry-After', async () => {
    await addFault({ service: 'telegram', status: 429 });
    const { headers, body } = await environment.request('/telegram/bot1:0123456789/sendMessage');
    expect(headers.get('retry-after')).toBe('3');
    expect(body).toMatchObject({
      description: 'Too Many Requests: retry after 3',
      parameters: { retry_after: 3 },
    });
  });

  test("a fault with status 403 sends Telegram's text for a blocked bot", async () => {
    await addFault({ service: 'telegram', status: 403 });
    expect((await environment.request('/telegram/bot1:0123456789/sendMessage')).body).toEqual({
      ok: false,
      error_code: 403,
      description: 'Forbidden: bot was blocked by the user',
    });
  });

  test('a fault applies only to its path, only `count` times, and never to icons', async () => {
    await addFault({ service: 'jupiter', status: 500, count: 2, path: '/price/' });
    expect((await environment.request('/jupiter/tokens/v2/search?query=bonk')).status).toBe(200);
    expect((await environment.request('/jupiter/icons/BONK.png')).status).toBe(200);
    expect((await environment.request(PRICE)).status).toBe(500);
    expect((await environment.request(PRICE)).status).toBe(500);
    expect((await environment.request(PRICE)).status).toBe(200);
    expect((await environment.request('/_control/faults')).body).toEqual([]);
  });

  test('a fault with drop closes the connection', async () => {
    await addFault({ service: 'jupiter', drop: true, count: 1 });
    await expect(fetch(environment.url + PRICE)).rejects.toThrow('fetch failed');
    expect((await environment.request(PRICE)).status).toBe(200);
  });

  test('a fault with a share hits about as many requests, the same in every run, and remembers them', async () => {
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
    const { body } = await environment.request(PRICE);
    await addFault({ service: 'jupiter', cutResponse: true, count: 1 });
    const cut = await environment.request(PRICE);
    expect(cut.status).toBe(200);
    expect(cut.body).toBe(JSON.stringify(body).slice(0, cut.body.length));
    expect(() => JSON.parse(cut.body)).toThrow();
    expect((await environment.request('/_control/faults/struck')).body).toContainEqual(
      expect.objectContaining({ service: 'jupiter' }),
    );
  });

  test('a fault with delayMs delays responses and failures', async () => {
    const waits: number[] = [];
    const faults = createFaults({ sleep: async (ms) => void waits.push(ms) });
    faults.add({ service: 'solana', delayMs: 700, count: 1 });
    faults.add({ service: 'solana', delayMs: 50, drop: true, path: 'sendTransaction' });
    expect(await faults.apply('solana', { method: 'getSlot' })).toBeUndefined();
    expect(await faults.apply('solana', { method: 'getSlot' })).toBeUndefined();
    expect(await faults.apply('solana', { method: 'sendTransaction' })).toEqual({ drop: true });
    expect(waits).toEqual([700, 50]);
  });

  test('a fault with a count of 2 affects only two of four concurrent requests', async () => {
    const faults = createFaults();
    faults.add({ service: 'x', status: 500, count: 2 });
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => faults.apply('x')));
    expect(verdicts.filter((verdict) => verdict !== undefined)).toHaveLength(2);
  });

  test('a fault can apply to one method of the local Solana', async () => {
    await addFault({ service: 'solana', status: 502, path: 'getBalance' });
    expect(await environment.fault('solana', { method: 'getBalance' })).toEqual({ status: 502 });
    expect(await environment.fault('solana', { method: 'getSlot' })).toBeUndefined();
  });

  test('a fault can apply to both Solana endpoints or to one', async () => {
    await addFault({ service: 'solana', status: 502, count: 2 });
    await addFault({ service: 'solana-fallback', dropResponse: true });
    expect([await environment.fault('solana-primary'), await environment.fault('solana-fallback')]).toEqual([
      { status: 502 },
      { status: 502 },
    ]);
    expect([await environment.fault('solana-primary'), await environment.fault('solana-fallback')]).toEqual([
      undefined,
      { dropResponse: true },
    ]);
  });
});

describe('the request log', () => {
  beforeEach(() => environment.request('/_control/requests', { method: 'DELETE' }));

  test('the request log counts requests by service, including failures but not pages or controls', async () => {
    await environment.request(PRICE);
    await environment.request('/jupiter/icons/BONK.png');
    await environment.request('/dexscreener/tokens/v1/solana/x');
    await addFault({ service: 'jupiter', status: 503, count: 1 });
    await environment.request(PRICE);
    await addFault({ service: 'jupiter', drop: true, count: 1 });
    await fetch(environment.url + PRICE).catch(() => undefined);
    expect((await environment.request('/_control/requests?service=jupiter')).body).toEqual({
      count: 3,
      requests: [200, 503, null].map((status) => ({
        service: 'jupiter',
        method: 'GET',
        path: PRICE,
        status,
      })),
    });
    expect((await environment.request('/_control/requests')).body.count).toBe(4);
    expect((await environment.request('/_control/requests?service=mars')).status).toBe(400);
    await environment.request('/_control/requests', { method: 'DELETE' });
    expect((await environment.request('/_control/requests')).body).toEqual({ count: 0, requests: [] });
  });
});

describe('the control API', () => {
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

  test("the control API refuses a body that isn't JSON", async () => {
    expect((await environment.request('/_control/prices', { method: 'POST', body: 'price=1' })).status).toBe(
      400,
    );
  });
});

describe('same-origin protection', () => {
  const send = (headers: Record<string, string>) =>
    environment.request('/_control/faults', { method: 'DELETE', headers });

  test.each([
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:8787', 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('the stand-ins refuse browser requests from other web pages: %o', async (headers) => {
    const { status, body } = await send(headers);
    expect(status).toBe(403);
    expect(body.error).toMatch(/other web pages/);
  });

  test('the stand-ins accept requests from their own pages and from programs', async () => {
    expect((await send({ origin: environment.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await send({})).status).toBe(200);
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
});

test('the Solana controls call the chain', async () => {
  chainCalls.length = 0;
  expect((await environment.request('/_control/solana/expire-blockhash', { method: 'POST' })).body).toEqual({
    ok: true,
  });
  await environment.request('/_control/solana/finalize', { method: 'POST' });
  await environment.request('/_control/solana/load', { json: { microLamports: 9 } });
  await environment.request('/_control/solana/load', { method: 'DELETE' });
  await environment.request('/_control/solana/forget', { json: { signature: 'sig' } });
  expect(chainCalls).toEqual(['expire', 'finalize', ['load', 9n], ['load', 0n], ['forget', 'sig']]);
  const airdrop = await environment.request('/_control/solana/airdrop', {
    json: { address: 'So11111111111111111111111111111111111111112', lamports: 5 },
  });
  expect(airdrop.body).toEqual({ signature: 'So11 got 5' });
});

test('startStandIns serves a JSON 404 for unknown paths, and rejects a taken port', async () => {
  const { status, body } = await environment.request('/nothing/here');
  expect(status).toBe(404);
  expect(body.error).toContain('/nothing/here');
  const again = startStandIns({
    port: Number(new URL(environment.url).port),
    now: Date.now,
    dataDir: environment.dataDir,
    productUrl: 'http://localhost:8787',
    chain,
  });
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

describe('openStoredJson', () => {
  const schema = z.object({ count: z.number() });
  const folder = mkdtempSync(join(tmpdir(), 'stored-'));

  test('openStoredJson reads the saved value back, and leaves no temporary files', () => {
    const file = join(folder, 'deep', 'state.json');
    const stored = openStoredJson({ file, schema, initial: { count: 0 } });
    stored.value.count = 3;
    stored.save();
    expect(openStoredJson({ file, schema, initial: { count: 0 } }).value).toEqual({ count: 3 });
    expect(readdirSync(join(folder, 'deep'))).toEqual(['state.json']);
  });

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
