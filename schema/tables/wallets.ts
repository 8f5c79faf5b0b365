import { index, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/** Users' Solana addresses. Payments go only to an address that its owner has proven by a signature (`provenAt`). */
export const wallets = table(
  'wallets',
  {
    id: erase(text('id').primaryKey()),
    userId: erase(accountReference('user_id')),
    address: erase(text('address').notNull()),
    provenAt: erase(timestamp('proven_at')),
    createdAt: erase(timestamp('created_at').notNull()),
  },
  { of: 'userId' },
  (table) => [
    uniqueIndex('wallets_user_address').on(table.userId, table.address),
    index('wallets_by_address').on(table.address),
  ],
);

/** Messages for wallets to sign. Each can be used once, within minutes. */
export const walletChallenges = table(
  'wallet_challenges',
  {
    nonce: withhold(text('nonce').primaryKey()),
    userId: erase(accountReference('user_id')),
    address: erase(text('address').notNull()),
    message: erase(text('message').notNull()),
    expiresAt: erase(timestamp('expires_at').notNull()),
  },
  { of: 'userId', atRequest: true, notBackedUp: 'valid for ten minutes' },
  (table) => [
    index('wallet_challenges_user').on(table.userId, table.address),
    index('wallet_challenges_expires').on(table.expiresAt),
  ],
);
