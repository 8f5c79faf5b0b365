import {
  LIVE_CLOSE_CODES,
  MAX_LIVE_MESSAGE_LENGTH,
  MAX_LIVE_MESSAGES_PER_MINUTE,
  MAX_LIVE_PAIRS,
} from '#schema/constants/messages.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { isId } from '../../../shared/ids.ts';
import type { Pairs } from './live.repository.ts';

/** Keeps an attachment below the platform's 16 KiB. Access is checked by the whole id. */
export const keyOf = (callerId: string) => callerId.slice(0, 8);

export interface Attachment {
  readonly userId: string;
  readonly sessionId: string;
  readonly follows: string;
  readonly shown: string;
  readonly wantsPrices: boolean;
  readonly messages: number;
  readonly minute: number;
}

export interface Connection extends Attachment {
  readonly socket: WebSocket;
}

export const NEW_PAGE = { follows: '', shown: '', wantsPrices: false, messages: 0, minute: 0 };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The hub attaches it to each socket.
export const attachmentOf = (socket: WebSocket) => socket.deserializeAttachment() as Attachment;
const read = (socket: WebSocket): Connection => ({ socket, ...attachmentOf(socket) });

export const follows = (page: Attachment, callerId: string) => page.follows.includes(keyOf(callerId));
export const concerns = (page: Attachment, callerId: string) =>
  page.userId === callerId || page.shown === callerId || follows(page, callerId);

/** The starts of the ids of the callers whose prices the page gets. */
export function startsOf({ userId, shown, follows: followed, wantsPrices }: Attachment): string[] {
  if (!wantsPrices) return [];
  return [keyOf(userId), keyOf(shown), ...followed.split(' ')].filter((start) => start !== '');
}

/**
 * Handles a page's message: the id of the caller that the page shows, or '', then ` prices` if the page shows active calls.
 * `now` is unix ms.
 */
export function readMessage(socket: WebSocket, message: string | ArrayBuffer, now: number): void {
  const attachment = attachmentOf(socket);
  const minute = Math.floor(now / MINUTE_MS);
  const messages = minute === attachment.minute ? attachment.messages + 1 : 1;
  const isGood =
    typeof message === 'string' &&
    message.length <= MAX_LIVE_MESSAGE_LENGTH &&
    messages <= MAX_LIVE_MESSAGES_PER_MINUTE;
  if (!isGood) return socket.close(LIVE_CLOSE_CODES.badMessage);
  const [id = '', wanted] = message.split(' ');
  // A shorter text would match many callers.
  const shown = isId(id) ? id : '';
  socket.serializeAttachment({ ...attachment, shown, wantsPrices: wanted === 'prices', messages, minute });
}

export function logFailure(error: unknown): void {
  console.warn(JSON.stringify({ event: 'live.failed', error: describeError(error) }));
}

/**
 * Calls `work` for pages with together at most MAX_LIVE_PAIRS pairs of a page and a caller, one slice after the other, so that
 * a hub sends few simultaneous queries. Leaves out pages without callers. A failure doesn't stop the next slices.
 */
export async function inSlices(
  sockets: readonly WebSocket[],
  callersOf: (page: Connection) => readonly string[],
  work: (pages: readonly Connection[], pairs: Pairs) => Promise<void>,
): Promise<void> {
  let pages: Connection[] = [];
  let pairs: { caller: string; userId: string }[] = [];
  const run = async () => {
    if (pages.length === 0) return;
    const viewers = [...Map.groupBy(pairs, ({ caller }) => caller)].map(
      ([caller, group]) => [caller, [...new Set(group.map(({ userId }) => userId))]] as const,
    );
    await work(pages, new Map(viewers)).catch(logFailure);
    pages = [];
    pairs = [];
  };
  for (const socket of sockets) {
    const page = read(socket);
    const callers = callersOf(page);
    if (callers.length === 0) continue;
    if (pairs.length + callers.length > MAX_LIVE_PAIRS) await run();
    pages.push(page);
    pairs.push(...callers.map((caller) => ({ caller, userId: page.userId })));
  }
  await run();
}
