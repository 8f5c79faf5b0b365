import type { RenewalStage } from '#schema/rules/renewal.ts';

/** A message to one person; `id` names what happened, so adding it twice sends it once. */
export type PersonalEvent = { readonly id: string; readonly userId: string } & (
  | {
      readonly kind: 'renewal';
      readonly callerId: string;
      /** Unix ms. */
      readonly endsAt: number;
      readonly stage: RenewalStage;
    }
  | { readonly kind: 'payout_changed'; readonly seq: number }
  | { readonly kind: 'payment_received'; readonly paymentId: string }
);

/** A row of `call_events`, which goes to all followers of its caller. */
export interface CallEvent {
  readonly kind: 'call_event';
  readonly id: string;
}

/** Names what happened and nothing else: recipients, texts and permissions are read when a message is sent. */
export type OutgoingEvent = CallEvent | PersonalEvent;
export type EventOf<Kind extends OutgoingEvent['kind']> = Extract<OutgoingEvent, { readonly kind: Kind }>;

/** Stores events and sends their messages. */
export interface Outbox {
  /** Resolves once the events are stored; ignores those stored before. */
  add(events: readonly OutgoingEvent[]): Promise<void>;
  /** Sets the alarm if anything waits, and forgets events of long ago. Returns how many it forgot. */
  wake(): Promise<number>;
}
