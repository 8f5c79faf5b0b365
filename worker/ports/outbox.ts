/**
 * A fact that a sender tells people (`modules/messages/facts`). Texts, recipients and permissions are read
 * when a message is sent.
 */
export interface OutgoingEvent {
  /** A key of the kinds of facts. */
  readonly kind: string;
  /** Adding an event with the same id again sends nothing. */
  readonly id: string;
  /** The key of the row that the event is about. */
  readonly subject: string;
  /** The recipient, or the caller whose followers are the recipients. */
  readonly userId: string;
}

/**
 * The medium of a message. Each channel has its own sender and rate limit. `telegram` is for private chats, `chat` for
 * callers' channels and groups.
 */
export const CHANNELS = ['telegram', 'chat', 'push', 'webhook'] as const;
export type Channel = (typeof CHANNELS)[number];

export interface MessageResult {
  readonly kind: string;
  /** Unix ms of the result, or of the next attempt of a message that is waiting. */
  readonly at: number;
  /**
   * `unreachable`: the chat blocks the bot or no longer exists. `unwanted`: the recipient had no chat or no access, or had
   * switched the message off. `unsent`: it failed for the event's whole lifetime.
   */
  readonly result: 'delivered' | 'unreachable' | 'unwanted' | 'unsent' | 'waiting';
}

export interface Outbox {
  /** Resolves once the events are stored. Ignores events that were stored before. */
  add(events: readonly OutgoingEvent[]): Promise<void>;
  /** Sends the unsent messages of abandoned events. Ignores unknown events. */
  resend(ids: readonly string[]): Promise<void>;
  /** Sets the alarm if events are waiting, and deletes old events. Returns the number of deleted events. */
  wake(): Promise<number>;
}

export interface ChannelOutbox extends Outbox {
  listResults(userId: string): Promise<MessageResult[]>;
}

/** Turns recorded facts into messages (`messages-writer.ts`). */
export interface MessagesWriter {
  /** Hands what was just recorded to the senders and to open pages. Never throws: the cron does the rest. */
  writeSoon(): Promise<void>;
}
