import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chain } from './chain.ts';
import { dispatch, methodsOf, PARSE_ERROR, parseBody, toRpcJson } from './rpc-dispatch.ts';
import { createRpcLimits, type RpcLimits } from './rpc-limits.ts';
import { RPC_METHODS } from './rpc-methods.ts';
import { truncateToHalf, RETRY_AFTER_SECONDS } from '../controls/fault-middleware.ts';
import { KEEP_ALIVE_MS } from '../settings.ts';
import { startSubscriptionServer } from './rpc-subscriptions.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const PORT_PAIR_ATTEMPTS = 20;

/**
 * A way for requests to fail: the response is an HTTP status, the connection is closed before or after the request is
 * executed, or the response is cut in half.
 */
export interface Fault {
  status?: number;
  drop?: boolean;
  dropResponse?: boolean;
  cutResponse?: boolean;
}

/** Every path serves the same chain, so each path can be an endpoint with its own faults. */
export interface RpcFaultRequest {
  method: string;
  path: string;
}

export interface ChainServerOptions {
  chain: Chain;
  /** The HTTP port. WebSockets use the port after it. 0 picks a free pair of ports. */
  port: number;
  host?: string;
  /** The limits of the provider's plan; by default, of a free plan. */
  limits?: RpcLimits;
  /** Called before each request is executed, once per method of a batch. May delay the request. */
  fault?: (request: RpcFaultRequest) => Promise<Fault | undefined>;
}

export interface ChainServer {
  url: string;
  close(): Promise<void>;
}

/** @returns undefined when the body exceeds the limit */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length <= MAX_BODY_BYTES) chunks.push(bytes);
  }
  return length > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

function allowAnyOrigin(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', 'OPTIONS, POST');
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  response.setHeader('access-control-max-age', '86400');
  // Browsers ask for this header before a public page may call this machine (Private Network Access).
  if (request.headers['access-control-request-private-network'] === 'true') {
    response.setHeader('access-control-allow-private-network', 'true');
  }
}

async function findFault({
  body,
  path,
  fault,
}: {
  body: unknown;
  path: string;
  fault: ChainServerOptions['fault'];
}): Promise<Fault | undefined> {
  if (fault === undefined) return undefined;
  const methods = methodsOf(body);
  for (const method of methods.length === 0 ? [''] : methods) {
    const found = await fault({ method, path });
    if (found !== undefined) return found;
  }
  return undefined;
}

type LimitedOptions = ChainServerOptions & Required<Pick<ChainServerOptions, 'limits'>>;

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: LimitedOptions,
): Promise<void> {
  const sendText = (status: number, text: string) => {
    const retry = status === 429 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};
    response.writeHead(status, { 'content-type': 'text/plain', ...retry }).end(text);
  };
  allowAnyOrigin(request, response);
  if (request.method === 'OPTIONS') return sendText(200, '');
  if (request.method === 'GET' && request.url === '/health') return sendText(200, 'ok');
  if (request.method !== 'POST') {
    return sendText(405, 'Used HTTP Method is not allowed. POST or OPTIONS is required\n');
  }
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return sendText(
      415,
      'Supplied content type is not allowed. Content-Type: application/json is required\n',
    );
  }
  const text = await readBody(request);
  if (text === undefined) return sendText(413, 'Request body is too large\n');
  const body = parseBody(text);

  const fault = await findFault({ body, path: request.url ?? '/', fault: options.fault });
  if (fault?.drop === true) return void request.socket.destroy();
  if (fault?.status !== undefined) return sendText(fault.status, 'This failure was requested by a test\n');

  const sendJson = (status: number, json: unknown) => {
    const text = json === undefined ? '' : toRpcJson(json);
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      .end(fault?.cutResponse === true ? truncateToHalf(text) : text);
  };
  const refusal = options.limits.refuse(body);
  if (refusal !== undefined) return sendJson(refusal.status, refusal.response);
  const result =
    body === undefined ? PARSE_ERROR : await dispatch(body, { methods: RPC_METHODS, context: options.chain });
  if (fault?.dropResponse === true) return void request.socket.destroy();
  sendJson(200, result);
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function startPair(options: LimitedOptions, host: string): Promise<ChainServer> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    respond(request, response, options).catch((error: unknown) => {
      // A client that disconnects while sending its body is not a server error.
      if (!request.destroyed) console.error('The local Solana failed on a request:', error);
      response.destroy();
    });
  });
  const port = await listen(server, options.port, host);
  try {
    const subscriptions = await startSubscriptionServer({ chain: options.chain, port: port + 1, host });
    return {
      url: `http://${host}:${port}`,
      async close() {
        await subscriptions.close();
        await closeServer(server);
      },
    };
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

/**
 * Serves a chain as JSON-RPC over HTTP, with WebSocket subscriptions on the next port.
 * @throws the system's error when a port is taken (`code` EADDRINUSE, `port`)
 */
export async function startChainServer(options: ChainServerOptions): Promise<ChainServer> {
  const { host = '127.0.0.1', limits = createRpcLimits() } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPair({ ...options, limits }, host);
    } catch (error) {
      // The port after the chosen one may be taken, or above 65535.
      const canTryAnotherPair = options.port === 0 && attempt < PORT_PAIR_ATTEMPTS;
      if (!canTryAnotherPair) throw error;
    }
  }
}
