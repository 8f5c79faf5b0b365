import { z } from 'zod';
import { openStoredJson, type StoredJson } from '../controls/stored-json.ts';

const messageEntity = z.object({
  type: z.string(),
  offset: z.number(),
  length: z.number(),
});

const chat = z.object({
  id: z.number(),
  handle: z.string(),
  firstName: z.string(),
  isBlocked: z.boolean(),
});

const message = z.object({
  messageId: z.number(),
  chatId: z.number(),
  from: z.enum(['bot', 'user']),
  text: z.string(),
  /** Always null: the stand-in accepts plain text only. */
  parseMode: z.null(),
  entities: z.array(messageEntity),
  buttons: z.array(z.object({ text: z.string(), url: z.string() })),
  /** Unix seconds, as in the Bot API. */
  date: z.number(),
});

const webhook = z.object({
  url: z.string(),
  secretToken: z.string().nullable(),
  allowedUpdates: z.array(z.string()).nullable(),
});

const telegramState = z.object({
  nextUpdateId: z.number(),
  nextMessageId: z.number(),
  chats: z.array(chat),
  messages: z.array(message),
  /** 'default' until setWebhook; null after deleteWebhook. */
  webhook: z.union([z.literal('default'), webhook, z.null()]),
  commands: z.array(z.object({ command: z.string(), description: z.string() })).default([]),
  /** Updates that the webhook hasn't accepted yet, oldest first. */
  pending: z.array(z.record(z.string(), z.unknown())),
});

export type Chat = z.infer<typeof chat>;
export type ChatMessage = z.infer<typeof message>;
export type BotCommand = TelegramState['commands'][number];
export type Webhook = z.infer<typeof webhook>;
export type TelegramState = z.infer<typeof telegramState>;

export function openTelegramState(file: string): StoredJson<TelegramState> {
  const initial: TelegramState = {
    nextUpdateId: 840_000_001,
    nextMessageId: 1,
    chats: [],
    messages: [],
    webhook: 'default',
    commands: [],
    pending: [],
  };
  return openStoredJson({ file, schema: telegramState, initial });
}
