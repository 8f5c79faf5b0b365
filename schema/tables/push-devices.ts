import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { sessions } from './sessions.ts';
import { accountReference } from './users.ts';

/** Browsers that show notifications. Each belongs to a session and is deleted with it. */
export const pushDevices = sqliteTable(
  'push_devices',
  {
    sessionHash: text('session_hash')
      .primaryKey()
      .references(() => sessions.tokenHash, { onDelete: 'cascade' }),
    userId: accountReference('user_id'),
    /** The push service's address of this browser. */
    endpoint: text('endpoint').notNull(),
    /** The browser's public key and its secret, in base64url. Messages are encrypted with them. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('push_devices_endpoint').on(table.endpoint),
    index('push_devices_user').on(table.userId),
  ],
);
