import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/**
 * Users' Telegram chats. The handle is only for display. `chatId` is set when the user opens the bot with the
 * one-time nonce of the Start link. It is also the person's id on Telegram.
 */
export const telegramLinks = sqliteTable(
  'telegram_links',
  {
    userId: accountReference('user_id').primaryKey(),
    /** Null if the user hasn't entered one. */
    handle: text('handle'),
    chatId: text('chat_id'),
    startNonceHash: text('start_nonce_hash'),
    startNonceExpiresAt: timestamp('start_nonce_expires_at'),
    connectedAt: timestamp('connected_at'),
    /** The caller may open and end calls in the chat. Connecting a chat again switches that off. */
    canCall: flag('can_call').notNull().default(false),
    /** The action of Confirm on the bot's last card (JSON), with a nonce until it's used, and an expiry. */
    offer: text('offer'),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('telegram_links_chat').on(table.chatId),
    uniqueIndex('telegram_links_nonce').on(table.startNonceHash),
  ],
);
