import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * - `down`: 503 as a page, without reaching the product.
 * - `cut`: the connection ends before the request is sent on.
 * - `lost`: the product executes the request, but its response is lost.
 * - `half`: only the first half of the response arrives.
 */
export const FAILURES = ['down', 'cut', 'lost', 'half'] as const;
export type Failure = (typeof FAILURES)[number];

interface Proxy {
  readonly url: string;
  /** The failures of the next requests. */
  readonly failures: Failure[];
  /** The failures of the next requests that open or end a call. */
  readonly writeFailures: Failure[];
  /** The number of requests that failed so far. */
  injected: number;
  /** True as if ten minutes had passed since the call: gains count. */
  isLater: boolean;
  close(): void;
}

/** Forwards requests to the product over a bad connection. `Retry-After` becomes a fifth of a second. */
export async function startFlakyProxy(productUrl: string): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const isWrite = incoming.method !== 'GET';
    const failure = (isWrite ? proxy.writeFailures.shift() : undefined) ?? proxy.failures.shift();
    if (failure) proxy.injected += 1;
    if (failure === 'cut') incoming.socket.destroy();
    else if (failure === 'down') {
      outgoing.writeHead(503, { 'Retry-After': '0.2', 'Content-Type': 'text/html' }).end('<h1>Down</h1>');
    } else {
      const url = incoming.url ?? '/';
      const path = proxy.isLater ? url.replace('?onlyIfCounted=true', '') : url;
      forward({ url: new URL(path, productUrl), incoming, outgoing, failure });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: Proxy = {
    url: `http://127.0.0.1:${port}`,
    failures: [],
    writeFailures: [],
    injected: 0,
    isLater: false,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}

interface Forwarded {
  readonly url: URL;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly failure: Failure | undefined;
}

function forward({ url, incoming, outgoing, failure }: Forwarded): void {
  const { method, headers } = incoming;
  const sent = request(url, {
    method,
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity' },
  });
  sent.on('error', () => incoming.socket.destroy());
  const respond = async (response: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(Buffer.from(chunk));
    if (failure === 'lost') {
      incoming.socket.destroy();
      return;
    }
    const body = Buffer.concat(chunks);
    const { 'transfer-encoding': _, ...responseHeaders } = response.headers;
    const retryAfter = responseHeaders['retry-after'] === undefined ? {} : { 'retry-after': '0.2' };
    const length = { 'content-length': String(body.length) };
    outgoing.writeHead(response.statusCode ?? 502, { ...responseHeaders, ...retryAfter, ...length });
    if (failure !== 'half') outgoing.end(body);
    else outgoing.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
  };
  sent.on('response', (response) => {
    respond(response).catch(() => incoming.socket.destroy());
  });
  incoming.pipe(sent);
}
