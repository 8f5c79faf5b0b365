import { z } from 'zod';
import { type CALL_EVENT_KINDS, MAX_BODY_BYTES, NOTIFICATION_KINDS } from '#schema/constants.ts';
import type { CallerSummary } from './callers.ts';
import { idSchema } from './shared.ts';

/** Whether the text is a username is a rule of its own, with words of its own (`readTelegramHandle`). */
export const connectTelegramSchema = z.object({ telegramHandle: z.string().max(200) });

/** The message is read by `readUpdateMessage`. */
export const sendUpdateSchema = z.object({ callId: idSchema, message: z.string().max(MAX_BODY_BYTES) });
export type SendUpdateBody = z.infer<typeof sendUpdateSchema>;

/** What Telegram posts to a webhook; what else is in it is the messenger's to read. */
export const telegramUpdateSchema = z.looseObject({ update_id: z.int() });

/** `startUrl` opens the bot, where pressing Start connects the chat. It works once. */
export interface ConnectTelegramAnswer {
  readonly message: string;
  readonly telegramHandle: string;
  readonly startUrl: string;
}

/** `recipients`: how many connected followers the update is on its way to. */
export interface SendUpdateAnswer {
  readonly message: string;
  readonly recipients: number;
}

export type CallEventKind = (typeof CALL_EVENT_KINDS)[number];
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Switches one kind of message on or off. */
export const notificationSwitchSchema = z.object({ kind: z.enum(NOTIFICATION_KINDS), isOn: z.boolean() });
export type NotificationSwitch = z.infer<typeof notificationSwitchSchema>;

/** `GET /api/user/notifications`: what somebody wants to be told in Telegram. A change answers with it too. */
export interface NotificationSettings {
  readonly kinds: Readonly<Record<NotificationKind, boolean>>;
  /** Of whose calls they want no messages, by name. */
  readonly mutedCallers: readonly CallerSummary[];
}

/** How telling of one event went, in counts and nothing else: `GET /api/telegram/deliveries`, one's own, newest first. */
export interface DeliveryLogEntry {
  readonly id: string;
  readonly kind: CallEventKind;
  readonly callId: string;
  readonly tokenSymbol: string;
  /** ISO 8601. */
  readonly at: string;
  /** For how many connected followers a message was made. */
  readonly recipients: number;
  readonly delivered: number;
  /** Who has blocked the bot or left Telegram. */
  readonly unreachable: number;
  /** Whom it was given up for. */
  readonly failed: number;
}
