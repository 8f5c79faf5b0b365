import { z } from 'zod';
import { RENEWAL_STAGES } from '#schema/rules/renewal.ts';

/** Since when a message is tried that is a fresh copy of one which a queue had handed over often; unix ms. */
const tried = { since: z.int().optional() };

/** What is to be told to one person (`userId`). It names what has happened and nothing else: everything else is read when it is sent. */
export const notificationMessageSchema = z.discriminatedUnion('kind', [
  /** What has happened to a call, for one follower of its caller. */
  z.object({ kind: z.literal('call_event'), eventId: z.string(), userId: z.string(), ...tried }),
  /** That what somebody has with a caller ends, or has ended, at `endsAt` (unix ms). */
  z.object({
    kind: z.literal('renewal'),
    userId: z.string(),
    callerId: z.string(),
    endsAt: z.int(),
    stage: z.enum(RENEWAL_STAGES),
    ...tried,
  }),
  /** That the wallet which a caller is paid to is another one. */
  z.object({ kind: z.literal('payout_changed'), userId: z.string(), seq: z.int(), ...tried }),
  /** That a caller was paid. */
  z.object({ kind: z.literal('payment_received'), userId: z.string(), paymentId: z.string(), ...tried }),
]);
export type NotificationMessage = z.infer<typeof notificationMessageSchema>;
export type MessageOf<Kind extends NotificationMessage['kind']> = Extract<
  NotificationMessage,
  { readonly kind: Kind }
>;

/**
 * One chunk of an event's followers, who stand in a ring by their ids. The ring is gone through once from the place `seed`;
 * this chunk begins behind `after`, and `counted` messages were made before it.
 */
export const fanOutMessageSchema = z.object({
  kind: z.literal('fan_out'),
  eventId: z.string(),
  seed: z.string(),
  after: z.string(),
  /** Whether the ring's end is behind us: then it goes on as far as `seed`. */
  isWrapped: z.boolean(),
  counted: z.int().min(0),
  ...tried,
});
export type FanOutMessage = z.infer<typeof fanOutMessageSchema>;

/** Takes messages (at most `QUEUE_BATCH_SIZE` at once), of which each is handed over at least once. */
export interface MessageQueue<Body> {
  sendBatch(messages: readonly { readonly body: Body }[]): Promise<unknown>;
}
export type NotificationQueue = MessageQueue<NotificationMessage>;
export type FanOutQueue = MessageQueue<FanOutMessage>;

/** What a message comes to when it is sent: plain text, and the event of which a chat is told once. */
export interface Notice {
  readonly eventId: string;
  readonly text: string;
}
