/**
 * `settled`: the devices that need no further attempt, if a message goes to several.
 * `unreachable`: the person blocked the bot, deleted their account or never started the chat.
 */
export type SendResult =
  | { readonly status: 'sent' }
  | { readonly status: 'unreachable' }
  | {
      readonly status: 'rate_limited';
      readonly retryAfterSeconds: number;
      readonly settled?: readonly string[];
    }
  | { readonly status: 'failed'; readonly cause: unknown; readonly settled: readonly string[] }
  /** The message may have arrived. */
  | { readonly status: 'no_response'; readonly cause: unknown };

/** A button under a message that opens a web page. */
export interface MessageButton {
  readonly text: string;
  readonly url: string;
}

export interface OutgoingMessage {
  /** A chat, or the recipient's browsers (worker/adapters/web-push.ts). */
  readonly chatId: string;
  /** Plain text of at most `TELEGRAM_MESSAGE_MAX_LENGTH` UTF-16 units. */
  readonly text: string;
  /** Shown in one row. */
  readonly buttons?: readonly MessageButton[];
  /** The devices that need no further attempt (`SendResult`). */
  readonly settled?: readonly string[];
  /** Identifies the event, so that a channel can replace a message that was sent twice. */
  readonly tag?: string;
  /** The time after which the message is useless. Unix ms. */
  readonly expiresAt?: number;
}

/** An action of a person in their chat with the bot. */
export type ChatEvent = {
  readonly chatId: string;
  /** The current username without @; `null` if the person has none. */
  readonly username: string | null;
  /** Unix ms, but in whole seconds of the messenger's clock. An event may arrive late, and twice. */
  readonly at: number;
} & (
  | {
      readonly kind: 'start';
      /** The payload of the start link. Empty if the chat was started without one. */
      readonly payload: string;
    }
  /** `blocked`: the person blocked the bot. `other`: any other message. */
  | { readonly kind: 'stop' | 'status' | 'blocked' | 'other' }
);
export type EventOf<Kind extends ChatEvent['kind']> = Extract<ChatEvent, { readonly kind: Kind }>;

export interface Messenger {
  /** The link to the bot's chat. Pressing Start there sends the payload. */
  startUrl(payload: string): string;
  /** Sends a message. @throws if the messenger refuses for a reason that `SendResult` doesn't cover */
  send(message: OutgoingMessage): Promise<SendResult>;
  /**
   * Handles an update from the messenger's webhook. `onEvent` returns the reply in the chat, or `null` for none.
   * @returns the JSON body of the webhook response; `null` without a reply, or if the update is ignored
   * @throws what `onEvent` throws, as the cause
   */
  respondToUpdate(
    update: { readonly update_id: number },
    onEvent: (event: ChatEvent) => Promise<string | null>,
  ): Promise<string | null>;
}
