import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createClient, type Requested } from './client.ts';

/** Responds with the status and the error code in the path, such as `/502/chain.unavailable`. */
const server = createServer((request, response) => {
  const [, status, code] = request.url?.split('/') ?? [];
  if (status === '_control') return void response.end(JSON.stringify(struck));
  if (status === 'cut') return void response.destroy();
  const body = JSON.stringify({ message: '', error: { code, message: '' } });
  response.writeHead(Number(status), { 'content-type': 'application/json' }).end(body);
});
/** The simulated faults that the server lists under `/_control`. */
let struck: { service: string; at: number }[];
let violations: string[];
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  struck = [];
  violations = [];
});

async function sendRequest(path: string, refusals: Requested['refusals'] = []) {
  const client = createClient({
    productUrl: url,
    standInsUrl: url,
    nextSlot: () => Promise.resolve(),
    report: (violation) => violations.push(violation),
    inspect: () => undefined,
  });
  await client.send({ kind: 'any', path, viewer: { address: '198.18.0.1' }, refusals });
  return client.figures.get('any');
}

it('the load client accepts a 5xx or X’s own limit only if its error code names a third party with a recent fault', async () => {
  struck = [{ service: 'solana-primary', at: Date.now() }];
  expect(await sendRequest('/502/chain.unavailable')).toMatchObject({ explained: 1 });
  expect(violations).toEqual([]);
  await sendRequest('/502/prices.unavailable');
  struck = [{ service: 'solana-primary', at: Date.now() - 60_000 }];
  await sendRequest('/502/chain.unavailable');
  expect(violations).toHaveLength(2);
  await sendRequest('/429/auth.x_rate_limited');
  struck = [{ service: 'x', at: Date.now() }];
  await sendRequest('/429/auth.x_rate_limited');
  expect(violations).toHaveLength(3);
});

it('the load client always reports a 500, a broken connection and an error code with the wrong status', async () => {
  struck = ['x', 'jupiter', 'solana-primary'].map((service) => ({ service, at: Date.now() }));
  for (const path of ['/500/server.failed', '/cut', '/503/chain.unavailable']) await sendRequest(path);
  expect(violations).toHaveLength(3);
});

it('the load client accepts a 4xx response only if the request expects its error code', async () => {
  expect(await sendRequest('/404/calls.not_found', ['calls.not_found'])).toMatchObject({ refused: 1 });
  expect(violations).toEqual([]);
  await sendRequest('/429/request.too_many', ['calls.not_found']);
  expect(violations).toHaveLength(1);
});
