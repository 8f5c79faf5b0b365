import { once } from 'node:events';
import { createServer, request as sendHttp, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { serveCached } from './serve-cached.ts';

it('the local shared cache announces no body for a GET, because the runtime would wait for it for ever', async () => {
  const lengths: (string | undefined)[] = [];
  const origin = createServer(({ headers }, response) => {
    lengths.push(headers['content-length']);
    response.setHeader('Cache-Control', 'private, no-store').end('answer');
  });
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const port = await findFreePort();
  const cached = await serveCached({ port, originPort: (origin.address() as AddressInfo).port });
  const get = async (body?: string) => {
    const sent = sendHttp({ host: 'localhost', port, path: '/mine', method: 'GET' });
    if (body !== undefined) sent.setHeader('Content-Length', body.length);
    sent.end(body);
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    return statusCode;
  };
  try {
    expect([await get('body'), await get()]).toEqual([200, 200]);
    expect(lengths).toEqual([undefined, undefined]);
  } finally {
    cached.close();
    origin.closeAllConnections();
    origin.close();
  }
});
