import { text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/** People's addresses for their events, one per person. */
export const webhooks = table(
  'webhooks',
  {
    userId: erase(accountReference('user_id').primaryKey()),
    url: erase(text('url').notNull()),
    /** The key of the signatures, encrypted with X_TOKENS_KEY. */
    secretCiphertext: withhold(text('secret_ciphertext').notNull()),
    createdAt: erase(timestamp('created_at').notNull()),
    /** The session that saved it. */
    sessionHash: withhold(text('session_hash').notNull()),
  },
  { of: 'userId', atRequest: true, notBackedUp: 'secrets; people save their address again' },
);
