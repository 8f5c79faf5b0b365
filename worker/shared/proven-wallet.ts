import { eq, isNotNull } from 'drizzle-orm';
import { wallets } from '#schema/tables/wallets.ts';
import { hasRow } from './sql.ts';

/** The user has saved this wallet and proven that it's theirs. */
export const hasProvenWallet = (userId: string, address: string) =>
  hasRow(wallets, eq(wallets.userId, userId), eq(wallets.address, address), isNotNull(wallets.provenAt));
