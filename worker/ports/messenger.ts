/** What became of a message. Whoever is unreachable has blocked the bot, left for good, or never was. */
export type SendResult =
  | { readonly status: 'sent' }
  | { readonly status: 'unreachable' }
  | { readonly status: 'rate_limited'; readonly retryAfterSeconds: number };

/** Somebody pressed Start in the bot's chat; the payload is empty when they came without a link. */
export interface StartPress {
  readonly chatId: string;
  readonly payload: string;
}

/** A bot that writes to people in their chats. */
export interface Messenger {
  /** The link that opens the bot's chat; pressing Start there hands the payload over. */
  startUrl(payload: string): string;
  /**
   * Sends plain text (at most `TELEGRAM_MESSAGE_MAX_LENGTH` UTF-16 units).
   * @throws when the messenger does not answer, or refuses for another reason than the results name.
   */
  send(message: { chatId: string; text: string }): Promise<SendResult>;
  /**
   * Reads an update that the messenger posted to us. `onStart` says in words what its answer in the chat is.
   * @returns what to answer the post with (JSON), or `null` for an update that we ignore.
   */
  answerUpdate(update: { readonly update_id: number }, onStart: (press: StartPress) => Promise<string>): Promise<string | null>;
}
