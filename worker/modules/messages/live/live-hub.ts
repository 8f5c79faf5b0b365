import {
  LIVE_CLOSE_CODES,
  LIVE_PRICES_MS,
  MAX_LIVE_CONNECTIONS,
  MAX_LIVE_FOLLOWS,
} from '#schema/constants/messages.ts';
import type { LiveCall } from '#schema/contracts/live.ts';
import { isViewerEntitled } from '#schema/rules/access/entitlement.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DescribedChange, PeopleChange } from '../../../ports/live.ts';
import { createId } from '../../../shared/ids.ts';
import { windowStart } from '../../market/prices/batched-cache.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import { readJoin } from './join-request.ts';
import {
  attachmentOf,
  concerns,
  follows,
  inSlices,
  keyOf,
  logFailure,
  NEW_PAGE,
  readMessage,
  startsOf,
  type Attachment,
  type Connection,
} from './live-connection.ts';
import { readPrices, writePrices } from './live-prices.ts';
import type { LiveRepository, ViewedCaller } from './live.repository.ts';

interface Sending {
  readonly pages: readonly Connection[];
  /** Callers of the messages, if only viewers with access to their active calls get them. */
  readonly viewed?: readonly ViewedCaller[];
  /** Called after the checks, without a pause before the messages are sent. `allowed`: those of `viewed` with access. */
  readonly messagesFor: (page: Connection, allowed: readonly ViewedCaller[]) => Iterable<string>;
}

export interface LiveHubOptions {
  readonly sockets: Pick<DurableObjectState, 'acceptWebSocket' | 'getWebSockets'>;
  readonly repository: LiveRepository;
  readonly prices: PricesService;
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
  const { sockets, repository, wakeAt, clock } = options;
  const send = createSending(options);
  const audience = `hub ${createId()}`;
  // At the start of a window, when shown prices are youngest.
  const wakeForPrices = () => wakeAt(windowStart(clock.now()) + LIVE_PRICES_MS);

  const updateFollows = async (userIds: readonly string[]) => {
    for (const [userId, callerIds] of await repository.listFollowed(userIds)) {
      const starts = callerIds.slice(0, MAX_LIVE_FOLLOWS).map(keyOf).join(' ');
      for (const socket of sockets.getWebSockets(ofPerson(userId))) {
        socket.serializeAttachment({ ...attachmentOf(socket), follows: starts });
      }
    }
  };

  return {
    async join(request: Request): Promise<Response> {
      const { userId, sessionId, address } = readJoin(request);
      const { perPerson, perAddress, perHub } = MAX_LIVE_CONNECTIONS;
      const own = sockets.getWebSockets(ofPerson(userId));
      const isFull =
        sockets.getWebSockets(ofAddress(address)).length >= perAddress ||
        sockets.getWebSockets().length >= perHub;
      if (isFull) return new Response(null, { status: 429 });
      for (const oldest of own.slice(0, Math.max(0, own.length + 1 - perPerson))) {
        oldest.close(LIVE_CLOSE_CODES.replaced);
      }
      const { 0: client, 1: server } = new WebSocketPair();
      sockets.acceptWebSocket(server, [ofPerson(userId), ofAddress(address)]);
      server.serializeAttachment({ ...NEW_PAGE, userId, sessionId } satisfies Attachment);
      await updateFollows([userId]);
      return new Response(null, { status: 101, webSocket: client });
    },

    async callsChanged(changes: readonly DescribedChange[]): Promise<void> {
      const messages = changes.map(({ callerId, changed }) => ({
        callerId,
        follower: changed && JSON.stringify({ ...changed, isFollowed: true } satisfies LiveCall),
        other: changed && JSON.stringify({ ...changed, isFollowed: false } satisfies LiveCall),
      }));
      const callerIds = [...new Set(changes.map(({ callerId }) => callerId))];
      const concerning = (page: Connection) => callerIds.filter((id) => concerns(page, id));
      const messagesFor: Sending['messagesFor'] = (page, allowed) => {
        const ids = new Set(allowed.map(({ callerId }) => callerId).filter((id) => concerns(page, id)));
        const heard = messages.filter(({ callerId }) => ids.has(callerId));
        return new Set(
          heard.map((each) => (follows(page, each.callerId) ? each.follower : each.other) ?? 'calls'),
        );
      };
      await inSlices(sockets.getWebSockets(), concerning, async (pages, pairs) => {
        const viewed = await repository.listViewed(pairs);
        await send({ pages, viewed, messagesFor });
      });
    },

    async peopleChanged({ userIds, topic }: PeopleChange): Promise<void> {
      const connected = userIds.flatMap((userId) => sockets.getWebSockets(ofPerson(userId)));
      if (topic === 'payments' && connected.length > 0) {
        await updateFollows([...new Set(connected.map((socket) => attachmentOf(socket).userId))]);
      }
      const ofPage = ({ userId }: Connection) => [userId];
      await inSlices(connected, ofPage, (pages) => send({ pages, messagesFor: () => [topic] }));
    },

    async message(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
      readMessage(socket, message, clock.now());
      if (attachmentOf(socket).wantsPrices) await wakeForPrices();
    },

    async sendPrices(): Promise<void> {
      const all = sockets.getWebSockets();
      const starts = new Set(all.flatMap((socket) => startsOf(attachmentOf(socket))));
      if (starts.size === 0) return;
      await wakeForPrices();
      const known = await readPrices({ ...options, starts: [...starts], audience }).catch(logFailure);
      if (!known) return;
      const priced = new Set([...known.keys()].map(keyOf));
      const pricedOf = (page: Connection) => startsOf(page).filter((start) => priced.has(start));
      await inSlices(all, pricedOf, async (pages, pairs) => {
        const viewed = await repository.listViewed(pairs);
        await send({ pages, viewed, messagesFor: (_, allowed) => writePrices(known, allowed) });
      });
    },
  };
}

function createSending({ repository, clock }: LiveHubOptions) {
  return async ({ pages, viewed = [], messagesFor }: Sending): Promise<void> => {
    const sessionIds = [...new Set(pages.map(({ sessionId }) => sessionId))];
    const open = await repository.listOpenSessions(sessionIds, clock.now());
    const now = clock.now();
    const allowed = viewed.flatMap((caller) =>
      caller.viewers
        .filter((viewer) => isViewerEntitled({ ...caller, ...viewer, now }))
        .map(({ viewerId }) => ({ viewerId, caller })),
    );
    const byViewer = Map.groupBy(allowed, ({ viewerId }) => viewerId);
    for (const page of pages) {
      const { socket, userId, sessionId } = page;
      const messages = open.has(sessionId)
        ? messagesFor(
            page,
            (byViewer.get(userId) ?? []).map(({ caller }) => caller),
          )
        : [];
      for (const message of messages) sendOrForget(socket, message);
      if (!open.has(sessionId)) socket.close(LIVE_CLOSE_CODES.signedOut);
    }
  };
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
