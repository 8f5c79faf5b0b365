import { index, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, timestamp } from './columns.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/**
 * Users' Telegram chats. The handle is only for display. `chatId` is set when the user opens the bot with the
 * one-time nonce of the Start link. It is also the person's id on Telegram.
 */
export const telegramLinks = table(
  'telegram_links',
  {
    userId: erase(accountReference('user_id').primaryKey()),
    handle: erase(text('handle')),
    chatId: erase(text('chat_id')),
    startNonceHash: withhold(text('start_nonce_hash')),
    startNonceExpiresAt: erase(timestamp('start_nonce_expires_at')),
    /** The session that got the Start link. */
    startSessionHash: withhold(text('start_session_hash')),
    connectedAt: erase(timestamp('connected_at')),
    /** The session whose Start link connected the chat. */
    sessionHash: withhold(text('session_hash')),
    /** The chat before, which gets security notices until then. */
    formerChatId: erase(text('former_chat_id')),
    formerUntil: erase(timestamp('former_until')),
    /** The caller may open and end calls in the chat. Connecting a chat again switches that off. */
    canCall: erase(flag('can_call').notNull().default(false)),
    /**
     * The call that the bot's last card offers to open or end (JSON), with the card's expiry. It has a nonce until the
     * caller presses a button.
     */
    offer: withhold(text('offer')),
    updatedAt: erase(timestamp('updated_at').notNull()),
  },
  { of: 'userId', atRequest: true },
  (table) => [
    uniqueIndex('telegram_links_chat').on(table.chatId),
    uniqueIndex('telegram_links_nonce').on(table.startNonceHash),
    index('telegram_links_former').on(table.formerUntil),
  ],
);
