import { index, text } from 'drizzle-orm/sqlite-core';
import { flag, timestamp } from './columns.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/** Keys of users' own programs. `tokenHash` is the SHA-256 of the key in hex; only the user has the key itself. */
export const apiKeys = table(
  'api_keys',
  {
    tokenHash: withhold(text('token_hash').primaryKey()),
    userId: erase(accountReference('user_id')),
    name: erase(text('name').notNull()),
    mayCall: erase(flag('may_call').notNull()),
    createdAt: erase(timestamp('created_at').notNull()),
    /** The session that created it. */
    sessionHash: withhold(text('session_hash').notNull()),
    /** Written at most once an hour. */
    lastUsedAt: erase(timestamp('last_used_at')),
  },
  {
    of: 'userId',
    atRequest: true,
    notBackedUp: 'a restored key may be one that was revoked; people create new ones',
  },
  (table) => [
    index('api_keys_user').on(table.userId, table.createdAt),
    index('api_keys_created').on(table.createdAt),
  ],
);
