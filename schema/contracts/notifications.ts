import { z } from 'zod';
import { MAX_BODY_BYTES } from '#schema/constants.ts';
import { idSchema } from './shared.ts';

/** Whether the text is a username is a rule of its own, with words of its own (`readTelegramHandle`). */
export const connectTelegramSchema = z.object({ telegramHandle: z.string().max(200) });

/** The message is read by `readUpdateMessage`. */
export const sendUpdateSchema = z.object({ callId: idSchema, message: z.string().max(MAX_BODY_BYTES) });
export type SendUpdateBody = z.infer<typeof sendUpdateSchema>;

/** What Telegram posts to a webhook; what else is in it is the bot library's to read. */
export const telegramUpdateSchema = z.looseObject({
  update_id: z.int(),
  message: z.looseObject({ chat: z.looseObject({ id: z.int() }) }).optional(),
});

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
