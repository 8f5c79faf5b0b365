import { once } from 'node:events';
import { createServer, request as sendHttp, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { findFreePort } from '../../local/free-port.ts';
import { serveCached } from './serve-cached.ts';

let close: () => void;
afterEach(() => close());

async function serve(listener: RequestListener) {
  const origin = createServer(listener);
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const port = await findFreePort();
  const cached = await serveCached({ port, originPort: (origin.address() as AddressInfo).port });
  close = () => {
    cached.close();
    origin.closeAllConnections();
    origin.close();
  };
  const send = (method: string) => sendHttp({ host: 'localhost', port, path: '/mine', method });
  const get = async (body?: string) => {
    const sent = send('GET');
    if (body !== undefined) sent.setHeader('Content-Length', body.length);
    sent.end(body);
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    return statusCode;
  };
  return { origin, send, get };
}

it('the local shared cache sends the origin no Content-Length for a GET, with or without a body', async () => {
  const lengths: (string | undefined)[] = [];
  const { get } = await serve(({ headers }, response) => {
    lengths.push(headers['content-length']);
    response.setHeader('Cache-Control', 'private, no-store').end('answer');
  });
  expect([await get('body'), await get()]).toEqual([200, 200]);
  expect(lengths).toEqual([undefined, undefined]);
});

it('the local shared cache still serves requests after a browser disconnects in the middle of a body', async () => {
  const { origin, send, get } = await serve((request, response) => {
    if (request.method === 'GET') response.end('answer');
  });
  const sent = send('POST');
  sent.on('error', () => undefined);
  sent.write('the first half');
  const [received] = (await once(origin, 'request')) as [IncomingMessage];
  received.on('error', () => undefined);
  const isClosed = new Promise((resolve) => received.once('close', resolve));
  sent.destroy();
  await isClosed;
  expect(await get()).toBe(200);
});

it('the local shared cache compresses texts as the edge does, with what the browser accepts', async () => {
  const page = '<p>Ada</p>'.repeat(1_000);
  const { send } = await serve(({ headers }, response) => {
    expect(headers['accept-encoding']).toBeUndefined();
    response.setHeader('ETag', '"1"').setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
  });
  const get = async (accepted: string) => {
    const sent = send('GET');
    sent.setHeader('Accept-Encoding', accepted).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { headers: response.headers, body: await buffer(response) };
  };
  const brotli = await get('gzip, deflate, br, zstd');
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', etag: 'W/"1"', vary: 'Accept-Encoding' });
  expect(brotliDecompressSync(brotli.body).toString()).toBe(page);
  const zipped = await get('gzip');
  expect(gunzipSync(zipped.body).toString()).toBe(page);
  const plain = await get('identity');
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.body.toString()).toBe(page);
});
