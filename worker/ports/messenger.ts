import type { ChatKind } from '#schema/rules/access/telegram-chats.ts';

/**
 * `settled`: the devices that need no further attempt, if a message goes to several devices. `unreachable`: the person
 * blocked the bot, deleted their account or never started the chat. `isByUs`: nothing was sent, because we spare a slow
 * receiver.
 */
export type SendResult =
  | { readonly status: 'sent' }
  | { readonly status: 'unreachable' }
  | {
      readonly status: 'rate_limited';
      readonly retryAfterSeconds: number;
      readonly settled?: readonly string[];
      readonly isByUs?: boolean;
    }
  | { readonly status: 'failed'; readonly cause: unknown; readonly settled: readonly string[] }
  /** The message may have arrived. */
  | { readonly status: 'no_response'; readonly cause: unknown };

/** The messenger refuses a request for now. */
export class RateLimitedError extends Error {
  readonly waitSeconds: number;

  constructor(waitSeconds: number) {
    super(`Too many requests: retry after ${waitSeconds} s`);
    this.waitSeconds = waitSeconds;
  }
}

export interface MessageButton {
  readonly text: string;
  readonly url: string;
}

/** A button that opens a web page, copies a text, or sends its action to the bot (at most 64 bytes). */
export type ChatButton =
  | MessageButton
  | { readonly text: string; readonly copy: string }
  | { readonly text: string; readonly action: string };

export interface OutgoingMessage {
  /** A chat, or the recipient's browsers (worker/adapters/web-push.ts). */
  readonly chatId: string;
  readonly text: string;
  /** Shown in one row. Browsers have only links. */
  readonly buttons?: readonly ChatButton[];
  readonly settled?: readonly string[];
  /** Identifies the event, so that a channel can replace a message that was sent twice. */
  readonly tag?: string;
  /** The events whose messages wait for the same recipient, if the channel combines messages. */
  readonly waiting?: readonly string[];
  /** There are more messages for the recipient than a minute may have. */
  readonly isBurst?: boolean;
  /** The time after which the message is useless. Unix ms. */
  readonly expiresAt?: number;
}

export interface Messenger {
  startUrl(payload: string): string;
  addUrl(kind: ChatKind): string;
  /** Sends a message. @throws if the messenger refuses for a reason that `SendResult` doesn't cover */
  send(message: OutgoingMessage): Promise<SendResult>;
}
