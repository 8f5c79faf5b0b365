import { z } from 'zod';
import type { ChatKind, ChatProblem } from '#schema/rules/access/telegram-chats.ts';

/** A channel or group on Telegram where the bot posts the caller's calls. */
export interface TelegramChat {
  readonly id: string;
  readonly kind: ChatKind;
  readonly title: string;
  /** The name of the topic in which calls are posted. Null: General, or a chat without topics. */
  readonly topicName: string | null;
  readonly problem: ChatProblem | null;
  /** People who came in without the bot are removed from a Paid caller's chat. */
  readonly removesOthers: boolean;
  readonly postsRecap: boolean;
  /** The link by which people ask the bot to let them in. Null until the bot could create it. */
  readonly joinLink: string | null;
}

/** Response of `GET /api/user/telegram-chats` and of every change. */
export interface TelegramChats {
  readonly chats: readonly TelegramChat[];
  /** Links that add the bot to a channel or group as an administrator. */
  readonly addUrls: Readonly<Record<ChatKind, string>>;
}

export const telegramChatChangeSchema = z
  .strictObject({
    removesOthers: z.boolean(),
    postsRecap: z.boolean(),
    /** The caller has gone from Free to Paid, and the chat is for subscribers only from now on. */
    confirmsPaid: z.literal(true),
    /** Replaces the link for subscribers. The old one stops working. */
    newLink: z.literal(true),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Send at least one change.');
export type TelegramChatChange = z.infer<typeof telegramChatChangeSchema>;
