import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { isUnset, timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/** Signed-in browsers. Only the cookie has the token itself; `tokenHash` is its SHA-256 in hex. */
export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: accountReference('user_id'),
    createdAt: timestamp('created_at').notNull(),
    /** Each use extends the session, up to the absolute limit counted from `createdAt`. */
    expiresAt: timestamp('expires_at').notNull(),
    /** Written at most once an hour. */
    lastUsedAt: timestamp('last_used_at').notNull().default(0),
    /** The `tokenHash` of the user's device. */
    deviceHash: text('device_hash').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);

/**
 * Browsers in which a user has signed in, recognised by a cookie that outlives the session. `tokenHash` is
 * the SHA-256 of that cookie in hex.
 */
export const devices = sqliteTable(
  'devices',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    userId: accountReference('user_id'),
    tokenHash: text('token_hash').notNull(),
    /** The browser and system, such as 'Chrome on Windows'. */
    label: text('label').notNull(),
    /** The first sign-in. */
    at: timestamp('at').notNull(),
    lastSignInAt: timestamp('last_sign_in_at').notNull(),
    /**
     * Time at which the sender accepted the notice. If the first sign-in created the account, there is no
     * notice, and this is the time of the sign-in.
     */
    queuedAt: timestamp('queued_at'),
  },
  (table) => [
    uniqueIndex('devices_user_token').on(table.userId, table.tokenHash),
    index('devices_last_sign_in').on(table.lastSignInAt),
    index('devices_unsent').on(table.at).where(isUnset(table.queuedAt)),
  ],
);
