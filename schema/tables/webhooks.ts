import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/** Where people want their events to be sent, one address per person. */
export const webhooks = sqliteTable('webhooks', {
  userId: accountReference('user_id').primaryKey(),
  url: text('url').notNull(),
  /** The key of the signatures, encrypted with X_TOKENS_KEY. */
  secretCiphertext: text('secret_ciphertext').notNull(),
  createdAt: timestamp('created_at').notNull(),
});
