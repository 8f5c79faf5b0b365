import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/**
 * Users' Telegram chats. The handle is only for display. `chatId` is set when the user opens the bot with the
 * one-time nonce of the Start link.
 */
export const telegramLinks = sqliteTable(
  'telegram_links',
  {
    userId: accountReference('user_id').primaryKey(),
    handle: text('handle').notNull(),
    chatId: text('chat_id'),
    startNonceHash: text('start_nonce_hash'),
    startNonceExpiresAt: timestamp('start_nonce_expires_at'),
    connectedAt: timestamp('connected_at'),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('telegram_links_chat').on(table.chatId),
    uniqueIndex('telegram_links_nonce').on(table.startNonceHash),
  ],
);
