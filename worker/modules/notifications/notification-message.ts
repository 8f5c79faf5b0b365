import { z } from 'zod';
import { RENEWAL_STAGES } from '#schema/rules/renewal.ts';

/** What travels through the queue: which event is to be told to whom (`userId`). Everything else is read when it is sent. */
export const notificationMessageSchema = z.discriminatedUnion('kind', [
  /** A caller's update on a call. */
  z.object({ kind: z.literal('call_update'), eventId: z.string(), userId: z.string() }),
  /** That what somebody has with a caller ends, or has ended, at `endsAt` (unix ms). */
  z.object({ kind: z.literal('renewal'), userId: z.string(), callerId: z.string(), endsAt: z.int(), stage: z.enum(RENEWAL_STAGES) }),
  /** That the wallet which a caller is paid to is another one. */
  z.object({ kind: z.literal('payout_changed'), userId: z.string(), seq: z.int() }),
  /** That somebody has paid the caller `userId`, and the payment is final. */
  z.object({ kind: z.literal('payment_received'), userId: z.string(), paymentId: z.string() }),
]);
export type NotificationMessage = z.infer<typeof notificationMessageSchema>;
export type MessageOf<Kind extends NotificationMessage['kind']> = Extract<NotificationMessage, { readonly kind: Kind }>;

/** Takes messages (at most `QUEUE_BATCH_SIZE` at once), of which each is delivered at least once. */
export interface NotificationQueue {
  sendBatch(messages: readonly { readonly body: NotificationMessage }[]): Promise<unknown>;
}

/** What a message comes to when it is sent: plain text, and the event of which a chat is told once. */
export interface Notice {
  readonly eventId: string;
  readonly text: string;
}

/** What is to become of a message of the queue. `rate_limited`: Telegram takes nothing from the bot until the delay is over. */
export type DeliveryOutcome = { readonly status: 'done' } | { readonly status: 'retry' | 'rate_limited'; readonly delaySeconds: number };
