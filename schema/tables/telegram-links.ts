import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
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
    /** Null until the user has started the bot, which can't write to them before. */
    connectedAt: timestamp('connected_at'),
    /** When the caller allowed calls from the chat; `canCallInChat` says if it still holds. Null: switched off. */
    callsFrom: timestamp('calls_from'),
    /** The action of the buttons under the bot's last card (JSON). They work while the nonce is set and hasn't expired. */
    offer: text('offer'),
    offerNonce: text('offer_nonce'),
    offerExpiresAt: timestamp('offer_expires_at'),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('telegram_links_chat').on(table.chatId),
    uniqueIndex('telegram_links_nonce').on(table.startNonceHash),
  ],
);
