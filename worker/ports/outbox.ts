import type { RenewalStage } from '#schema/rules/access/renewal.ts';

/** An event with a message to one person. `id` identifies the event: adding the event twice sends one message. */
export type PersonalEvent = { readonly id: string; readonly userId: string } & (
  | {
      readonly kind: 'renewal';
      readonly callerId: string;
      /** Unix ms. */
      readonly endsAt: number;
      readonly stage: RenewalStage;
    }
  | {
      /** Tells a caller that a level of their own call was hit. Followers get the call event. */
      readonly kind: 'own_level_hit';
      readonly eventId: string;
    }
  | { readonly kind: 'payout_changed'; readonly seq: number }
  | { readonly kind: 'new_device'; readonly seq: number }
  | { readonly kind: 'payment_received'; readonly paymentId: string }
);

/** A row of `call_events`. Its message goes to all followers of the caller. */
export interface CallEvent {
  readonly kind: 'call_event';
  readonly id: string;
}

/** Only identifies the event. Recipients, texts and permissions are read when the message is sent. */
export type OutgoingEvent = CallEvent | PersonalEvent;
export type EventOf<Kind extends OutgoingEvent['kind']> = Extract<OutgoingEvent, { readonly kind: Kind }>;

/** Where messages go. Each channel has its own sender and rate. */
export type Channel = 'telegram' | 'push';

/** Stores events and sends their messages. */
export interface Outbox {
  /** Resolves once the events are stored. Ignores events that were stored before. */
  add(events: readonly OutgoingEvent[]): Promise<void>;
  /** Sends the unsent messages of events that were given up. Ignores unknown events. */
  resend(ids: readonly string[]): Promise<void>;
  /** Sets the alarm if events are waiting, and deletes old events. Returns the number of deleted ones. */
  wake(): Promise<number>;
}
