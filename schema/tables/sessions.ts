import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { moment } from './columns.ts';
import { userReference } from './users.ts';

/** A signed-in browser. Only the cookie has the token. `tokenHash` is its SHA-256 in hex. */
export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: userReference('user_id'),
    createdAt: moment('created_at').notNull(),
    /** The session is extended with use, up to the absolute limit counted from `createdAt`. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);
