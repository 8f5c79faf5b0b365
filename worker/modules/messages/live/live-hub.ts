import {
  LIVE_CLOSE_CODES,
  MAX_LIVE_CONNECTIONS,
  MAX_LIVE_MESSAGE_LENGTH,
  MAX_LIVE_MESSAGES_PER_MINUTE,
  MINUTE_MS,
} from '#schema/constants.ts';
import type { LiveCall } from '#schema/contracts/live.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { LiveEvents } from '../../../ports/live.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { readJoin } from './join-request.ts';
import type { LiveRepository } from './live.repository.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';

/** The number of connections whose sessions one query checks. */
const PAGE_SIZE = 1_000;
/**
 * Shortens a caller's id, so that an attachment stays below the platform's 16 KiB. Access is checked by the whole id.
 */
const keyOf = (callerId: string) => callerId.slice(0, 8);

/** A connection's data, which survives hibernation of the hub. */
interface Attachment {
  readonly userId: string;
  readonly sessionId: string;
  /** The keys of the followed callers, separated by spaces. */
  readonly follows: string;
  /** The caller that the page shows. */
  readonly shown: string;
  /** The number of messages since `minute`, for the rate limit. */
  readonly messages: number;
  readonly minute: number;
}

interface Connection extends Attachment {
  readonly socket: WebSocket;
}

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
  readonly entitlement: Pick<SubscriptionsService, 'viewersAmong'>;
  readonly clock: Clock;
}

export interface LiveHub extends LiveEvents {
  join(request: Request): Promise<Response>;
  message(socket: WebSocket, message: string | ArrayBuffer): void;
}

const attachmentOf = (socket: WebSocket) => socket.deserializeAttachment() as Attachment;
const read = (socket: WebSocket): Connection => ({ socket, ...attachmentOf(socket) });
const ofPerson = (userId: string) => `person ${userId}`;
const ofAddress = (address: string) => `address ${address}`;

/**
 * Sends changes to its viewers' pages: a changed call, or a topic. Before each message, it checks their sessions, and for
 * calls their access.
 */
export function createLiveHub(options: LiveHubOptions): LiveHub {
  const { sockets, repository, entitlement, clock } = options;

  const updateFollows = async (userId: string) => {
    const followed = await repository.listFollowed(userId);
    const follows = followed.map(keyOf).join(' ');
    for (const socket of sockets.getWebSockets(ofPerson(userId))) {
      socket.serializeAttachment({ ...attachmentOf(socket), follows });
    }
  };

  const sendTo = async ({ connections, callerId, messageFor }: Sending) => {
    for (let start = 0; start < connections.length; start += PAGE_SIZE) {
      const page = connections.slice(start, start + PAGE_SIZE);
      const sessionIds = page.map(({ sessionId }) => sessionId);
      const viewerIds = page.map(({ userId }) => userId);
      const [open, allowed] = await Promise.all([
        repository.listOpenSessions(sessionIds, clock.now()),
        callerId === null ? viewerIds : entitlement.viewersAmong({ viewerIds, callerId }),
      ]);
      const mayHear = new Set(allowed);
      for (const connection of page) {
        const { socket, sessionId, userId } = connection;
        if (!open.has(sessionId)) socket.close(LIVE_CLOSE_CODES.signedOut);
        else if (mayHear.has(userId)) sendOrForget(socket, messageFor(connection));
      }
    }
  };

  return {
    async join(request) {
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
      const attachment: Attachment = { userId, sessionId, follows: '', shown: '', messages: 0, minute: 0 };
      server.serializeAttachment(attachment);
      await updateFollows(userId);
      return new Response(null, { status: 101, webSocket: client });
    },

    async callsChanged(changes) {
      const all = sockets.getWebSockets().map(read);
      for (const { callerId, changed } of changes) {
        const key = keyOf(callerId);
        const connections = all.filter(
          ({ userId, shown, follows }) => userId === callerId || shown === callerId || follows.includes(key),
        );
        const messages = changed && {
          follower: JSON.stringify({ ...changed, isFollowed: true } satisfies LiveCall),
          other: JSON.stringify({ ...changed, isFollowed: false } satisfies LiveCall),
        };
        const messageFor = ({ follows }: Connection) => {
          if (messages === null) return 'calls';
          return follows.includes(key) ? messages.follower : messages.other;
        };
        try {
          // Sequential, so that a hub sends few simultaneous queries to the database.
          await sendTo({ connections, callerId, messageFor });
        } catch (error) {
          console.warn(JSON.stringify({ event: 'live.failed', callerId, error: describeError(error) }));
        }
      }
    },

    async peopleChanged({ userIds, topic }) {
      const connections = userIds.flatMap((userId) => sockets.getWebSockets(ofPerson(userId)).map(read));
      const connected = new Set(connections.map(({ userId }) => userId));
      if (topic === 'payments') await Promise.all([...connected].map(updateFollows));
      await sendTo({ connections, callerId: null, messageFor: () => topic });
    },

    message: (socket, message) => readMessage(socket, message, clock.now()),
  };
}

/** Handles a page's message: the id of the caller that the page shows, or ''. `now` is unix ms. */
function readMessage(socket: WebSocket, message: string | ArrayBuffer, now: number): void {
  const attachment = attachmentOf(socket);
  const minute = Math.floor(now / MINUTE_MS);
  const messages = minute === attachment.minute ? attachment.messages + 1 : 1;
  const isGood =
    typeof message === 'string' &&
    message.length <= MAX_LIVE_MESSAGE_LENGTH &&
    messages <= MAX_LIVE_MESSAGES_PER_MINUTE;
  if (isGood) socket.serializeAttachment({ ...attachment, shown: message, messages, minute });
  else socket.close(LIVE_CLOSE_CODES.badMessage);
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
