import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/** Keys of users' own programs. `tokenHash` is the SHA-256 of the key in hex; only the user has the key itself. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: accountReference('user_id'),
    name: text('name').notNull(),
    /** True if it may open, update and end calls. */
    mayCall: flag('may_call').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** Written at most once an hour. */
    lastUsedAt: timestamp('last_used_at'),
  },
  (table) => [index('api_keys_user').on(table.userId, table.createdAt)],
);
