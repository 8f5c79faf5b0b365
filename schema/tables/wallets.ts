import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { moment } from './columns.ts';
import { users } from './users.ts';

/** A Solana address somebody saved. Only with `provenAt` (a signature was checked) can it be paid to. */
export const wallets = sqliteTable(
  'wallets',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    address: text('address').notNull(),
    provenAt: moment('proven_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [uniqueIndex('wallets_user_address').on(table.userId, table.address)],
);

/** What a wallet was asked to sign. Used once, within minutes. */
export const walletChallenges = sqliteTable(
  'wallet_challenges',
  {
    nonce: text('nonce').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    address: text('address').notNull(),
    message: text('message').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('wallet_challenges_user').on(table.userId, table.address),
    index('wallet_challenges_expires').on(table.expiresAt),
  ],
);
