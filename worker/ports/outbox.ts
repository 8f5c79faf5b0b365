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
 * `own_level_hit`: the user's own call hit a price level; followers get a call event instead. `call_ends_soon`:
 * the cron will end the user's call. `chat_problem`: about the user's channel or group. `chat_removed`: the user
 * was removed from one. `caller_silent`, `paper_ended`: about a caller whom the user follows, or follows on paper.
 * The others are about the user's account.
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

export type FollowerChannel = Exclude<Channel, 'chat'>;

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
