import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Chain } from './chain.ts';
import { encodeAccount } from './encode-account.ts';
import { readAccountView } from './rpc-accounts.ts';
import { withContext } from './rpc-context.ts';
import { dispatch, PARSE_ERROR, parseBody, toRpcJson } from './rpc-dispatch.ts';
import { RpcError } from './rpc-error.ts';
import {
  readCommitment,
  readConfig,
  readPubkey,
  readSignature,
  readUnsigned,
  requireParams,
} from './rpc-params.ts';
import type { Params } from './rpc-params.ts';
import { EMPTY_ACCOUNT } from './vm.ts';

const POLL_MS = 50;

/** Sends a notification if there's a change. @returns 'done' after the last one */
type Poll = (notify: (result: unknown) => void) => 'done' | undefined;

interface Session {
  chain: Chain;
  subscribe(method: string, poll: Poll): number;
  unsubscribe(id: number): boolean;
}

function signatureSubscribe({ chain, subscribe }: Session, params: Params): number {
  requireParams(params, 1);
  const signature = readSignature(params[0]);
  const commitment = readCommitment(chain, readConfig(params[1]));
  return subscribe('signatureNotification', (notify) => {
    const transaction = chain.transaction(signature);
    if (transaction === undefined || transaction.slot > chain.clock.slot(commitment)) return undefined;
    notify(withContext(chain, commitment, { err: transaction.execution.error }));
    return 'done';
  });
}

function accountSubscribe({ chain, subscribe }: Session, params: Params): number {
  requireParams(params, 1);
  const address = readPubkey(params[0]);
  const config = readConfig(params[1]);
  const commitment = readCommitment(chain, config);
  const view = readAccountView(chain, config, commitment);
  const read = () => encodeAccount(view.accountAt(address) ?? EMPTY_ACCOUNT, view);
  let known = toRpcJson(read());
  return subscribe('accountNotification', (notify) => {
    const account = read();
    const text = toRpcJson(account);
    if (text !== known) notify(withContext(chain, commitment, account));
    known = text;
    return undefined;
  });
}

function slotSubscribe({ chain, subscribe }: Session): number {
  let known = chain.clock.slot();
  return subscribe('slotNotification', (notify) => {
    const slot = chain.clock.slot();
    if (slot !== known) notify({ parent: slot - 1, root: chain.clock.slot('finalized'), slot });
    known = slot;
    return undefined;
  });
}

function unsubscribe(session: Session, params: Params): boolean {
  requireParams(params, 1);
  if (!session.unsubscribe(readUnsigned(params[0]))) throw new RpcError(-32602, 'Invalid subscription id.');
  return true;
}

const METHODS = new Map<string, (session: Session, params: Params) => unknown>(
  Object.entries({
    accountSubscribe,
    accountUnsubscribe: unsubscribe,
    signatureSubscribe,
    signatureUnsubscribe: unsubscribe,
    slotSubscribe,
    slotUnsubscribe: unsubscribe,
  }),
);

function serve(socket: WebSocket, chain: Chain, takeId: () => number): () => void {
  const polls = new Map<number, () => void>();
  const session: Session = {
    chain,
    subscribe(method, poll) {
      const subscription = takeId();
      const notify = (result: unknown) => {
        socket.send(toRpcJson({ jsonrpc: '2.0', method, params: { result, subscription } }));
      };
      polls.set(subscription, () => {
        try {
          if (poll(notify) === 'done') polls.delete(subscription);
        } catch (error) {
          // An account that is too large for base58 ends this subscription, but not the process.
          if (!(error instanceof RpcError)) throw error;
          polls.delete(subscription);
        }
      });
      return subscription;
    },
    unsubscribe: (id) => polls.delete(id),
  };
  const pollAll = () => {
    for (const poll of polls.values()) poll();
  };
  const respond = async (text: string) => {
    const body = parseBody(text);
    const response =
      body === undefined ? PARSE_ERROR : await dispatch(body, { methods: METHODS, context: session });
    if (response !== undefined) socket.send(toRpcJson(response));
  };
  socket.on('message', (data) => void respond(String(data)));
  return pollAll;
}

/**
 * Starts the WebSocket server on the port after the HTTP port, as on a cluster.
 * @throws when the port is taken (EADDRINUSE)
 */
export async function startSubscriptionServer(options: {
  chain: Chain;
  port: number;
  host: string;
}): Promise<{ close(): Promise<void> }> {
  const { chain, port, host } = options;
  const server = new WebSocketServer({ port, host });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const sessions = new Map<WebSocket, () => void>();
  let lastId = 0;
  server.on('connection', (socket) => {
    sessions.set(
      socket,
      serve(socket, chain, () => (lastId += 1)),
    );
    socket.on('close', () => void sessions.delete(socket));
    socket.on('error', () => socket.terminate());
  });
  // Commitment levels advance as time passes, without an event, so poll them.
  const pollAll = () => sessions.forEach((poll) => poll());
  const timer = setInterval(pollAll, POLL_MS);
  return {
    async close() {
      clearInterval(timer);
      for (const socket of sessions.keys()) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
