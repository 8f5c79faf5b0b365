import { text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/** Encrypted X tokens (AES-GCM) of users who allow us to post. Sign-in alone stores none. */
export const xTokens = table(
  'x_tokens',
  {
    userId: erase(accountReference('user_id').primaryKey()),
    accessTokenCiphertext: withhold(text('access_token_ciphertext').notNull()),
    refreshTokenCiphertext: withhold(text('refresh_token_ciphertext')),
    scopes: erase(text('scopes').notNull()),
    expiresAt: erase(timestamp('expires_at').notNull()),
    createdAt: erase(timestamp('created_at').notNull()),
    /** The session that gave the permission. */
    sessionHash: withhold(text('session_hash').notNull()),
    updatedAt: erase(timestamp('updated_at').notNull()),
  },
  { of: 'userId', atRequest: true, notBackedUp: 'secrets; callers permit posting again' },
);
