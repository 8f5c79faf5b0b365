import { z } from 'zod';
import { MAX_BODY_BYTES } from '#schema/constants/app.ts';
import { CALL_EVENT_KINDS, type FACT_KINDS, NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import type { ReachedChat } from '#schema/rules/text/reach.ts';
import type { CallerSummary } from './callers.ts';
import { idSchema } from './shared.ts';

/** `readTelegramHandle` checks the username, which may be empty. */
export const connectTelegramSchema = z.object({ telegramHandle: z.string().max(200) });

/** `readUpdateMessage` checks the message. */
export const sendUpdateSchema = z.object({ callId: idSchema, message: z.string().max(MAX_BODY_BYTES) });
export type SendUpdateBody = z.infer<typeof sendUpdateSchema>;

/** Body and response of `PATCH /api/user/telegram-calls`: the caller may call in the chat with the bot. */
export const telegramCallsSchema = z.strictObject({ isOn: z.boolean() });
export interface TelegramCalls {
  readonly isOn: boolean;
}

/** A request of Telegram to the webhook. The messenger adapter reads its other fields. */
export const telegramUpdateSchema = z.looseObject({ update_id: z.int() });

/** `startUrl` opens the bot, where pressing Start connects the chat. The link works once. */
export interface ConnectTelegramResponse {
  readonly message: string;
  readonly telegramHandle: string | null;
  readonly startUrl: string;
}

/**
 * `recipients` is the number of connected followers who get the update. Null if the caller has more than
 * MAX_COUNTED_FOLLOWERS followers. Then the list of deliveries counts them while the messages are sent.
 */
export interface SendUpdateResponse {
  readonly message: string;
  readonly recipients: number | null;
  /** The caller's channel and group, whose members are told there. */
  readonly chats: readonly ReachedChat[];
}

export type CallEventKind = (typeof CALL_EVENT_KINDS)[number];

export type FactKind = (typeof FACT_KINDS)[number];

export const isCallEventKind = (kind: string): kind is CallEventKind =>
  CALL_EVENT_KINDS.some((each) => each === kind);
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const notificationSwitchSchema = z.object({ kind: z.enum(NOTIFICATION_KINDS), isOn: z.boolean() });
export type NotificationSwitch = z.infer<typeof notificationSwitchSchema>;

/** Response of `GET /api/user/notifications` and of every change. */
export interface NotificationSettings {
  readonly kinds: Readonly<Record<NotificationKind, boolean>>;
  /** Sorted by name. */
  readonly mutedCallers: readonly CallerSummary[];
}

/** Delivery counts of one event. `GET /api/telegram/deliveries` lists the caller's events, newest first. */
export interface DeliveryLogEntry {
  readonly id: string;
  readonly kind: CallEventKind;
  readonly callId: string;
  readonly tokenSymbol: string;
  /** ISO 8601. */
  readonly at: string;
  /** The number of connected followers for whom a message has been prepared so far. */
  readonly recipients: number;
  readonly delivered: number;
  /** The number of chats that block the bot or no longer exist. */
  readonly unreachable: number;
  /** The number of messages that failed for good. */
  readonly failed: number;
  /** The chats that were told, with their members now. */
  readonly chats: readonly ReachedChat[];
}
