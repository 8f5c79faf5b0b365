import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/** Encrypted X tokens (AES-GCM) of users who allow us to post. Sign-in alone stores none. */
export const xTokens = sqliteTable('x_tokens', {
  userId: accountReference('user_id').primaryKey(),
  accessTokenCiphertext: text('access_token_ciphertext').notNull(),
  refreshTokenCiphertext: text('refresh_token_ciphertext'),
  scopes: text('scopes').notNull(),
  expiresAt: timestamp('expires_at').notNull(),
  updatedAt: timestamp('updated_at').notNull(),
});
