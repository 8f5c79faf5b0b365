import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { RETRY_AFTER_SECONDS, truncateToHalf } from '../controls/fault-middleware.ts';
import type { Verdict } from '../controls/faults.ts';
import { listen } from '../listen.ts';
import type { Chain } from './chain.ts';
import { dispatch, methodsOf, PARSE_ERROR, parseBody, toRpcJson } from './rpc-dispatch.ts';
import { createRpcLimits, type RpcLimits } from './rpc-limits.ts';
import * as accounts from './rpc-accounts.ts';
import * as cluster from './rpc-cluster.ts';
import * as transactions from './rpc-transactions.ts';
import { startSubscriptionServer } from './rpc-subscriptions.ts';

/** Each method returns its result, with u64s as bigints, or throws an RpcError. */
const METHODS = new Map(Object.entries({ ...accounts, ...cluster, ...transactions }));
const MAX_BODY_BYTES = 1024 * 1024;
const PORT_PAIR_ATTEMPTS = 20;

/** Every path serves the same chain, so each path can be an endpoint with its own faults. */
export interface RpcFaultRequest {
  method: string;
  path: string;
}

export interface RpcOptions {
  chain: Chain;
  /** The limits of the provider's plan; by default, of a free plan. */
  limits?: RpcLimits;
  /** Called before each request is executed, once per method of a batch. May delay the request. */
  fault?: (request: RpcFaultRequest) => Promise<Verdict | undefined>;
}

export interface ChainServerOptions extends RpcOptions {
  /** The HTTP port. WebSockets use the port after it. 0 picks a free pair of ports. */
  port: number;
}

export type ChainServer = Awaited<ReturnType<typeof startChainServer>>;

async function findFault(
  body: unknown,
  path: string,
  fault: RpcOptions['fault'],
): Promise<Verdict | undefined> {
  const methods = methodsOf(body);
  for (const method of methods.length === 0 ? [''] : methods) {
    const found = await fault?.({ method, path });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The chain's JSON-RPC without a port. */
export function createRpcApp({ chain, limits = createRpcLimits(), fault }: RpcOptions) {
  const app = new Hono<{ Bindings: HttpBindings }>()
    .use(async (c, next) => {
      // Browsers ask for this header before a public page may call this machine (Private Network Access).
      if (c.req.header('access-control-request-private-network') === 'true') {
        c.res.headers.set('access-control-allow-private-network', 'true');
      }
      await next();
    })
    .use(cors({ origin: '*', allowMethods: ['OPTIONS', 'POST'], maxAge: 86_400 }))
    .get('/health', (c) => c.text('ok'))
    .use(async (c, next) => {
      if (c.req.method !== 'POST') {
        return c.text('Used HTTP Method is not allowed. POST or OPTIONS is required\n', 405);
      }
      if (/^application\/json\b/i.test(c.req.header('content-type') ?? '')) return next();
      const message = 'Supplied content type is not allowed. Content-Type: application/json is required\n';
      return c.text(message, 415);
    })
    .use(
      bodyLimit({
        maxSize: MAX_BODY_BYTES,
        onError: (c) => c.text('Request body is too large\n', 413),
      }),
    )
    .post('*', async (c) => {
      const body = parseBody(await c.req.text());
      const drop = () => {
        c.env.incoming.socket.destroy();
        return c.body(null);
      };
      const verdict = await findFault(body, c.req.path, fault);
      if (verdict?.drop === true) return drop();
      if (verdict?.status !== undefined) {
        if (verdict.status === 429) c.header('retry-after', String(RETRY_AFTER_SECONDS));
        return c.text('This failure was requested by a test\n', verdict.status as ContentfulStatusCode);
      }
      const respond = (status: number, json: unknown) => {
        const text = json === undefined ? '' : toRpcJson(json);
        return c.body(
          verdict?.cutResponse === true ? truncateToHalf(text) : text,
          status as ContentfulStatusCode,
          { 'content-type': 'application/json; charset=utf-8' },
        );
      };
      const refusal = limits.refuse(body);
      if (refusal !== undefined) return respond(refusal.status, refusal.response);
      const result =
        body === undefined ? PARSE_ERROR : await dispatch(body, { methods: METHODS, context: chain });
      return verdict?.dropResponse === true ? drop() : respond(200, result);
    });
  app.onError((error, c) => {
    // A client that disconnects while sending its body is not a server error.
    if (!c.env.incoming.destroyed) console.error('The local Solana failed on a request:', error);
    return c.text('', 500);
  });
  return app;
}

async function startPair(options: ChainServerOptions) {
  const server = await listen(createRpcApp(options), options.port);
  try {
    const port = server.port + 1;
    const subscriptions = await startSubscriptionServer({ chain: options.chain, port });
    return {
      url: server.url,
      async close() {
        await subscriptions.close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * Serves a chain as JSON-RPC over HTTP, with WebSocket subscriptions on the next port.
 * @throws the system's error when a port is taken (`code` EADDRINUSE, `port`)
 */
export async function startChainServer(options: ChainServerOptions) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPair(options);
    } catch (error) {
      // The port after the chosen one may be taken, or above 65535.
      const canTryAnotherPair = options.port === 0 && attempt < PORT_PAIR_ATTEMPTS;
      if (!canTryAnotherPair) throw error;
    }
  }
}
