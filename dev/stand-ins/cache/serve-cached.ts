import { once } from 'node:events';
import { request as sendHttp, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createAdaptorServer } from '@hono/node-server';
import { KEEP_ALIVE_MS } from '../listen.ts';
import { compress } from './compress.ts';
import { createSharedCache } from './shared-cache.ts';

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];
const BODY_HEADERS = ['content-length', 'transfer-encoding', 'expect'];
const NO_BODY = new Set([204, 304]);

export interface CachedOptions {
  readonly port: number;
  /** The runtime's own port on this machine. */
  readonly originPort: number;
}

export interface CachedServer {
  close(): void;
}

/** Serves the runtime behind the local shared cache, compressed as at the edge. Rejects with EADDRINUSE when the port is taken. */
export async function serveCached({ port, originPort }: CachedOptions): Promise<CachedServer> {
  const cached = createSharedCache({
    now: () => Date.now(),
    origin: (request) => forward(request, originPort),
  });
  const fetch = async (request: Request) => compress(request, await cached(request));
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  Object.assign(server, { keepAliveTimeout: KEEP_ALIVE_MS });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    tunnel({ request, socket, head, port: originPort }),
  );
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return {
    close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly port: number;
}

/** Connects a WebSocket to the runtime, past the cache. */
function tunnel({ request, socket, head, port }: Upgrade): void {
  const origin = connect(port, '127.0.0.1');
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  const headers = names.map((name, index) => `${name}: ${request.rawHeaders[2 * index + 1]}`);
  origin.write([`${request.method} ${request.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  origin.write(head);
  // If one end closes the connection, `pipeline` closes the other.
  void pipeline(socket, origin, socket).catch(() => undefined);
}

/** Node's `fetch` would replace the browser's Sec-Fetch headers, which the product checks. */
async function forward(request: Request, port: number): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { 'accept-encoding': _encoding, ...headers } = Object.fromEntries(request.headers);
  // A GET's body isn't sent. With a Content-Length, the runtime would wait for the body, and so would all requests that
  // share the response.
  if (!request.body) for (const name of BODY_HEADERS) delete headers[name];
  const sent = sendHttp({
    host: '127.0.0.1',
    port,
    path: `${pathname}${search}`,
    method: request.method,
    headers,
  });
  // `once` rejects with an error before the response. A later error has no listener.
  sent.on('error', () => undefined);
  // If the browser closes the connection in the middle of the body, `pipeline` ends the request.
  if (request.body) void pipeline(Readable.fromWeb(request.body as never), sent).catch(() => undefined);
  else sent.end();
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
  return readResponse(incoming);
}

function readResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    if (HOP_BY_HOP.includes(name)) continue;
    for (const value of values) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 502;
  if (NO_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
}
