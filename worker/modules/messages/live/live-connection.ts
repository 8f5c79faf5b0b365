import {
  LIVE_CLOSE_CODES,
  MAX_LIVE_MESSAGE_LENGTH,
  MAX_LIVE_MESSAGES_PER_MINUTE,
} from '#schema/constants/messages.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';

/** Keeps an attachment below the platform's 16 KiB. Access is checked by the whole id. */
export const keyOf = (callerId: string) => callerId.slice(0, 8);

/** A page must send a whole id: a shorter text would match many callers. */
const ID_LENGTH = 36;

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
export const read = (socket: WebSocket): Connection => ({ socket, ...attachmentOf(socket) });

export function concernedCallers(connections: readonly Connection[]): string[] {
  const starts = connections.flatMap(({ userId, shown, follows }) => [
    keyOf(userId),
    keyOf(shown),
    ...follows.split(' '),
  ]);
  return [...new Set(starts)].filter((start) => start !== '');
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
  const shown = id.length === ID_LENGTH ? id : '';
  socket.serializeAttachment({ ...attachment, shown, wantsPrices: wanted === 'prices', messages, minute });
}
