import { index, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { sessions } from './sessions.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/** Browsers that show notifications. Each belongs to a session and is deleted with it. */
export const pushDevices = table(
  'push_devices',
  {
    sessionHash: withhold(
      text('session_hash')
        .primaryKey()
        .references(() => sessions.tokenHash, { onDelete: 'cascade' }),
    ),
    userId: erase(accountReference('user_id')),
    endpoint: erase(text('endpoint').notNull()),
    /** The browser's public key and its secret, in base64url. Messages are encrypted with them. */
    p256dh: erase(text('p256dh').notNull()),
    auth: withhold(text('auth').notNull()),
    createdAt: erase(timestamp('created_at').notNull()),
  },
  { of: 'userId', atRequest: true, notBackedUp: 'belong to sessions; people turn notifications on again' },
  (table) => [
    uniqueIndex('push_devices_endpoint').on(table.endpoint),
    index('push_devices_user').on(table.userId),
  ],
);
