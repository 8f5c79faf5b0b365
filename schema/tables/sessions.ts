import { index, integer, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/** Signed-in browsers. Only the cookie has the token itself; `tokenHash` is its SHA-256 in hex. */
export const sessions = table(
  'sessions',
  {
    tokenHash: withhold(text('token_hash').primaryKey()),
    userId: erase(accountReference('user_id')),
    createdAt: erase(timestamp('created_at').notNull()),
    /** Each use extends the session, up to the absolute limit counted from `createdAt`. */
    expiresAt: erase(timestamp('expires_at').notNull()),
    /** Written at most once an hour. */
    lastUsedAt: erase(timestamp('last_used_at').notNull().default(0)),
    deviceHash: withhold(text('device_hash').notNull()),
  },
  { of: 'userId', notBackedUp: 'people sign in again, so a stolen backup opens no session' },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);

/**
 * Browsers in which a user has signed in, recognised by a cookie that outlives the session. `tokenHash` is
 * the SHA-256 of that cookie in hex.
 */
export const devices = table(
  'devices',
  {
    seq: erase(integer('seq').primaryKey({ autoIncrement: true })),
    userId: erase(accountReference('user_id')),
    tokenHash: withhold(text('token_hash').notNull()),
    label: erase(text('label').notNull()),
    at: erase(timestamp('at').notNull()),
    lastSignInAt: erase(timestamp('last_sign_in_at').notNull()),
  },
  { of: 'userId', atRequest: true },
  (table) => [
    uniqueIndex('devices_user_token').on(table.userId, table.tokenHash),
    index('devices_last_sign_in').on(table.lastSignInAt),
  ],
);
