import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { moment } from './columns.ts';
import { users } from './users.ts';

/**
 * X's tokens of a person who lets us post for them, encrypted (AES-GCM, the key is a secret).
 * Sign-in itself keeps no token: a row appears with the first share.
 */
export const xTokens = sqliteTable('x_tokens', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  accessTokenCiphertext: text('access_token_ciphertext').notNull(),
  refreshTokenCiphertext: text('refresh_token_ciphertext'),
  scopes: text('scopes').notNull(),
  expiresAt: moment('expires_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
});
