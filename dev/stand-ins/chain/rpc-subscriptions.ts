import { once } from 'node:events';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Chain } from './chain.ts';
import { withContext } from './rpc-context.ts';
import { dispatch, PARSE_ERROR, parseBody, toRpcJson } from './rpc-dispatch.ts';
import { RpcError } from './rpc-error.ts';
import { readCommitment, readConfig, readSignature, readUnsigned, requireParams } from './rpc-params.ts';
import type { Params } from './rpc-params.ts';
import type { Commitment } from './slot-clock.ts';

const POLL_MS = 50;

/** The signatures that a client waits for, by subscription. */
type Subscriptions = Map<number, { signature: string; commitment: Commitment }>;

interface Session {
  chain: Chain;
  subscriptions: Subscriptions;
  takeId: () => number;
}

function signatureSubscribe({ chain, subscriptions, takeId }: Session, params: Params): number {
  requireParams(params, 1);
  const signature = readSignature(params[0]);
  const id = takeId();
  subscriptions.set(id, { signature, commitment: readCommitment(chain, readConfig(params[1])) });
  return id;
}

function signatureUnsubscribe({ subscriptions }: Session, params: Params): boolean {
  requireParams(params, 1);
  if (!subscriptions.delete(readUnsigned(params[0]))) throw new RpcError(-32602, 'Invalid subscription id.');
  return true;
}

const METHODS = new Map<string, (session: Session, params: Params) => unknown>(
  Object.entries({ signatureSubscribe, signatureUnsubscribe }),
);

async function respond(socket: WebSocket, session: Session, text: string): Promise<void> {
  const body = parseBody(text);
  const response =
    body === undefined ? PARSE_ERROR : await dispatch(body, { methods: METHODS, context: session });
  if (response !== undefined) socket.send(toRpcJson(response));
}

/** Sends one notification for each signature that has reached its commitment. */
function notify(socket: WebSocket, { chain, subscriptions }: Session): void {
  for (const [subscription, { signature, commitment }] of subscriptions) {
    const transaction = chain.transaction(signature);
    if (transaction === undefined || transaction.slot > chain.clock.slot(commitment)) continue;
    const result = withContext(chain, commitment, { err: transaction.execution.error });
    const params = { result, subscription };
    socket.send(toRpcJson({ jsonrpc: '2.0', method: 'signatureNotification', params }));
    subscriptions.delete(subscription);
  }
}

/**
 * Starts the WebSocket server on the port after the HTTP port, as on a cluster.
 * @throws when the port is taken (EADDRINUSE)
 */
export async function startSubscriptionServer({ chain, port }: { chain: Chain; port: number }) {
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  await once(server, 'listening');
  const sessions = new Map<WebSocket, Session>();
  let lastId = 0;
  server.on('connection', (socket) => {
    const session: Session = { chain, subscriptions: new Map(), takeId: () => (lastId += 1) };
    sessions.set(socket, session);
    socket.on('message', (data) => void respond(socket, session, String(data)));
    socket.on('close', () => void sessions.delete(socket));
    socket.on('error', () => socket.terminate());
  });
  // Commitment levels advance as time passes, without an event, so poll them.
  const timer = setInterval(() => sessions.forEach((session, socket) => notify(socket, session)), POLL_MS);
  return {
    async close() {
      clearInterval(timer);
      for (const socket of sessions.keys()) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
