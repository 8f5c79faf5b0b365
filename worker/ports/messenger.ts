/** What became of a message. Whoever is unreachable has blocked the bot, left for good, or never was. */
export type SendResult =
  | { readonly status: 'sent' }
  | { readonly status: 'unreachable' }
  | { readonly status: 'rate_limited'; readonly retryAfterSeconds: number }
  /** It may have arrived all the same. */
  | { readonly status: 'unanswered'; readonly cause: unknown };

/** What somebody did in their chat with the bot. */
export type ChatEvent = {
  readonly chatId: string;
  /** Without its @, as they have it now; `null` for who has none. */
  readonly username: string | null;
  /** Unix ms by the messenger's clock, which counts in whole seconds. It may come much later, and twice. */
  readonly at: number;
} & (
  | {
      readonly kind: 'start';
      /** Empty when they came without a link. */
      readonly payload: string;
    }
  /** `blocked`: nothing reaches them any more. `other`: they wrote something else. */
  | { readonly kind: 'stop' | 'status' | 'blocked' | 'other' }
);
export type EventOf<Kind extends ChatEvent['kind']> = Extract<ChatEvent, { readonly kind: Kind }>;

/** A bot that writes to people in their chats. */
export interface Messenger {
  /** The link that opens the bot's chat; pressing Start there hands the payload over. */
  startUrl(payload: string): string;
  /**
   * Sends plain text (at most `TELEGRAM_MESSAGE_MAX_LENGTH` UTF-16 units).
   * @throws when the messenger refuses for another reason than the results name.
   */
  send(message: { chatId: string; text: string }): Promise<SendResult>;
  /**
   * Reads an update that the messenger posted to us. `onEvent` says in words what the answer in the chat is, or `null` for none.
   * @returns what to answer the post with (JSON), or `null` for an update that gets no answer, or that we ignore.
   * @throws what `onEvent` throws, as the cause.
   */
  answerUpdate(
    update: { readonly update_id: number },
    onEvent: (event: ChatEvent) => Promise<string | null>,
  ): Promise<string | null>;
}
