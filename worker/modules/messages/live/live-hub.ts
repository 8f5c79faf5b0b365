import { LIVE_CLOSE_CODES, LIVE_PRICES_MS, MAX_LIVE_CONNECTIONS } from '#schema/constants/messages.ts';
import type { LiveCall, LivePrices } from '#schema/contracts/live.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DescribedChange, PeopleChange } from '../../../ports/live.ts';
import { secureRandom } from '../../../shared/ids.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { readJoin } from './join-request.ts';
import {
  attachmentOf,
  concernedCallers,
  keyOf,
  NEW_PAGE,
  read,
  readMessage,
  type Attachment,
  type Connection,
} from './live-connection.ts';
import type { LiveRepository } from './live.repository.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';

const PAGE_SIZE = 1_000;

interface Sending {
  readonly connections: readonly Connection[];
  /** Only viewers with access to this caller's active calls get the message. Null if everybody may. */
  readonly callerId: string | null;
  /** Called after the checks, without a pause before the message is sent. */
  readonly messageFor: (connection: Connection) => string;
}

export interface LiveHubOptions {
  readonly sockets: Pick<DurableObjectState, 'acceptWebSocket' | 'getWebSockets'>;
  readonly repository: LiveRepository;
  readonly entitlement: SubscriptionsService;
  readonly calls: CallsService;
  /** Sets the one alarm, which calls `sendPrices`, unless it is set already. */
  readonly wakeAt: (at: number) => Promise<void>;
  readonly clock: Clock;
}

export type LiveHub = ReturnType<typeof createLiveHub>;

const ofPerson = (userId: string) => `person ${userId}`;
const ofAddress = (address: string) => `address ${address}`;

/**
 * Sends changes to its viewers' pages: a changed call, or a topic. Before each message, it checks their sessions, and for
 * calls their access.
 */
export function createLiveHub(options: LiveHubOptions) {
  const { sockets, repository, calls, wakeAt, clock } = options;
  const { sendTo, sendOfCaller } = createSending(options);

  const updateFollows = async (userId: string) => {
    const followed = await repository.listFollowed(userId);
    const follows = followed.map(keyOf).join(' ');
    for (const socket of sockets.getWebSockets(ofPerson(userId))) {
      socket.serializeAttachment({ ...attachmentOf(socket), follows });
    }
  };

  return {
    async join(request: Request): Promise<Response> {
      const { userId, sessionId, address } = readJoin(request);
      const own = sockets.getWebSockets(ofPerson(userId));
      if (sockets.getWebSockets(ofAddress(address)).length >= MAX_LIVE_CONNECTIONS.perAddress) {
        return new Response(null, { status: 429 });
      }
      for (const oldest of own.slice(0, Math.max(0, own.length + 1 - MAX_LIVE_CONNECTIONS.perPerson))) {
        oldest.close(LIVE_CLOSE_CODES.replaced);
      }
      const { 0: client, 1: server } = new WebSocketPair();
      sockets.acceptWebSocket(server, [ofPerson(userId), ofAddress(address)]);
      server.serializeAttachment({ ...NEW_PAGE, userId, sessionId } satisfies Attachment);
      await updateFollows(userId);
      return new Response(null, { status: 101, webSocket: client });
    },

    async callsChanged(changes: readonly DescribedChange[]): Promise<void> {
      const all = sockets.getWebSockets().map(read);
      for (const { callerId, changed } of changes) {
        const key = keyOf(callerId);
        const messages = changed && {
          follower: JSON.stringify({ ...changed, isFollowed: true } satisfies LiveCall),
          other: JSON.stringify({ ...changed, isFollowed: false } satisfies LiveCall),
        };
        const messageFor = ({ follows }: Connection) => {
          if (messages === null) return 'calls';
          return follows.includes(key) ? messages.follower : messages.other;
        };
        // Sequential, so that a hub sends few simultaneous queries to the database.
        await sendOfCaller({ connections: all, callerId, messageFor });
      }
    },

    async peopleChanged({ userIds, topic }: PeopleChange): Promise<void> {
      const connections = userIds.flatMap((userId) => sockets.getWebSockets(ofPerson(userId)).map(read));
      const connected = new Set(connections.map(({ userId }) => userId));
      if (topic === 'payments') await Promise.all([...connected].map(updateFollows));
      await sendTo({ connections, callerId: null, messageFor: () => topic });
    },

    async message(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
      readMessage(socket, message, clock.now());
      if (attachmentOf(socket).wantsPrices) await wakeAt(clock.now() + LIVE_PRICES_MS);
    },

    async sendPrices(): Promise<void> {
      const wanting = sockets
        .getWebSockets()
        .map(read)
        .filter(({ wantsPrices }) => wantsPrices);
      if (wanting.length === 0) return;
      await wakeAt(clock.now() + LIVE_PRICES_MS);
      try {
        const prices = await calls.listCurrentPrices(rotate(concernedCallers(wanting)));
        for (const [callerId, ofCaller] of prices) {
          const message = JSON.stringify({ prices: ofCaller } satisfies LivePrices);
          await sendOfCaller({ connections: wanting, callerId, messageFor: () => message });
        }
      } catch (error) {
        console.warn(JSON.stringify({ event: 'live.failed', error: describeError(error) }));
      }
    },
  };
}

function createSending({ repository, entitlement, clock }: LiveHubOptions) {
  const sendTo = async ({ connections, callerId, messageFor }: Sending) => {
    for (let start = 0; start < connections.length; start += PAGE_SIZE) {
      const page = connections.slice(start, start + PAGE_SIZE);
      const sessionIds = [...new Set(page.map(({ sessionId }) => sessionId))];
      const userIds = [...new Set(page.map(({ userId }) => userId))];
      const [open, allowed] = await Promise.all([
        repository.listOpenSessions(sessionIds, clock.now()),
        callerId === null ? userIds : entitlement.viewersAmong({ userIds, callerId }),
      ]);
      const mayHear = new Set(allowed);
      for (const connection of page) {
        const { socket, sessionId, userId } = connection;
        if (!open.has(sessionId)) socket.close(LIVE_CLOSE_CODES.signedOut);
        else if (mayHear.has(userId)) sendOrForget(socket, messageFor(connection));
      }
    }
  };

  const sendOfCaller = async ({ connections, callerId, messageFor }: Sending & { callerId: string }) => {
    const key = keyOf(callerId);
    const concerned = connections.filter(
      ({ userId, shown, follows }) => userId === callerId || shown === callerId || follows.includes(key),
    );
    try {
      await sendTo({ connections: concerned, callerId, messageFor });
    } catch (error) {
      console.warn(JSON.stringify({ event: 'live.failed', callerId, error: describeError(error) }));
    }
  };

  return { sendTo, sendOfCaller };
}

/** Starts at a random caller, so that the limit of `listCurrentPrices` doesn't always leave out the same ones. */
function rotate(starts: readonly string[]): readonly string[] {
  const first = Math.floor(secureRandom() * starts.length);
  return [...starts.slice(first), ...starts.slice(0, first)];
}

/** Makes the runtime respond to pings, so that they don't wake a hibernating hub. */
export function respondToPings(state: Pick<DurableObjectState, 'setWebSocketAutoResponse'>): void {
  state.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
}

function sendOrForget(socket: WebSocket, message: string): void {
  try {
    socket.send(message);
  } catch {
    // The page has just closed the connection. It fetches all data when it reconnects.
  }
}
