import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/** Users' Solana addresses. Only one that its owner has proven by a signature (`provenAt`) can be paid to. */
export const wallets = sqliteTable(
  'wallets',
  {
    id: text('id').primaryKey(),
    userId: accountReference('user_id'),
    address: text('address').notNull(),
    provenAt: timestamp('proven_at'),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('wallets_user_address').on(table.userId, table.address),
    index('wallets_by_address').on(table.address),
  ],
);

/** Messages for wallets to sign. Each can be used once, within minutes. */
export const walletChallenges = sqliteTable(
  'wallet_challenges',
  {
    nonce: text('nonce').primaryKey(),
    userId: accountReference('user_id'),
    address: text('address').notNull(),
    message: text('message').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (table) => [
    index('wallet_challenges_user').on(table.userId, table.address),
    index('wallet_challenges_expires').on(table.expiresAt),
  ],
);
