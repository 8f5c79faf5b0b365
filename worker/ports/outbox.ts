import type { RenewalStage } from '#schema/rules/access/renewal.ts';

/** An event with a message to one person. `id` identifies the event: adding the event twice sends one message. */
interface PersonalEvent {
  readonly id: string;
  readonly userId: string;
}

export interface RenewalEvent extends PersonalEvent {
  readonly kind: 'renewal';
  readonly callerId: string;
  /** The end without silent days (unix ms), which identifies the period. */
  readonly endsAt: number;
  readonly stage: RenewalStage;
}

/**
 * `own_level_hit`: a price level of the user's own call was hit (followers get a call event instead). The other notices
 * are about the user's account, or about an automatic end of the user's call (`call_ends_soon`), or about a channel or
 * group of theirs (`chat_problem`) or that they were removed from (`chat_removed`), or about a caller's silence (`caller_silent`) or ended call whom the user follows on paper (`paper_ended`).
 */
export type NoticeKind =
  | 'own_level_hit'
  | 'call_ends_soon'
  | 'payout_changed'
  | 'new_device'
  | 'payment_received'
  | 'payment_refunded'
  | 'caller_silent'
  | 'chat_problem'
  | 'chat_removed'
  | 'paper_ended';

export interface NoticeEvent extends PersonalEvent {
  readonly kind: NoticeKind;
  /** The key of the row that the notice is about. */
  readonly subject: string;
}

/** A row of `call_events`. Its message goes to all followers of the caller. */
export interface CallEvent {
  readonly kind: 'call_event';
  readonly id: string;
}

/** Only identifies the event. Recipients, texts and permissions are read when the message is sent. */
export type OutgoingEvent = CallEvent | RenewalEvent | NoticeEvent;

/**
 * The medium of a message. Each channel has its own sender and rate limit. `telegram` is for private chats, `chat` for
 * callers' channels and groups.
 */
export type Channel = 'telegram' | 'chat' | 'push' | 'webhook';

/** A channel whose messages go to followers. */
export type FollowerChannel = Exclude<Channel, 'chat'>;

/** A message to a person, without its text. */
export interface MessageResult {
  /** Such as `call_opened` or `renewal`. */
  readonly kind: string;
  /** Unix ms of the result, or of the next attempt of a message that is waiting. */
  readonly at: number;
  /**
   * `unreachable`: the chat blocks the bot or no longer exists. `unwanted`: the recipient had no chat or no access, or had
   * switched the message off. `unsent`: it failed for the event's whole lifetime.
   */
  readonly result: 'delivered' | 'unreachable' | 'unwanted' | 'unsent' | 'waiting';
}

/** Stores events and sends their messages. */
export interface Outbox {
  /** Resolves once the events are stored. Ignores events that were stored before. */
  add(events: readonly OutgoingEvent[]): Promise<void>;
  /** Sends the unsent messages of abandoned events. Ignores unknown events. */
  resend(ids: readonly string[]): Promise<void>;
  /** Sets the alarm if events are waiting, and deletes old events. Returns the number of deleted events. */
  wake(): Promise<number>;
}

/** The sender of one channel. */
export interface ChannelOutbox extends Outbox {
  /** A person's last messages, newest first. */
  listResults(userId: string): Promise<MessageResult[]>;
}
