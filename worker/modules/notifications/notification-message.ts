import { z } from 'zod';

/** What travels through the queue: which event is to be told to whom. Everything else is read when it is sent. */
export const notificationMessageSchema = z.object({ kind: z.literal('call_update'), eventId: z.string(), userId: z.string() });
export type NotificationMessage = z.infer<typeof notificationMessageSchema>;

/** What is to become of a message of the queue. `rate_limited`: Telegram takes nothing from the bot until the delay is over. */
export type DeliveryOutcome = { readonly status: 'done' } | { readonly status: 'retry' | 'rate_limited'; readonly delaySeconds: number };
