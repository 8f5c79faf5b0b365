import { eq, isNotNull } from 'drizzle-orm';
import { wallets } from '#schema/tables/wallets.ts';
import { hasRow } from '../../../shared/sql.ts';

/** SQL condition: the user has saved this wallet and proven that they own it. */
export const hasProvenWallet = (userId: string, address: string) =>
  hasRow(wallets, eq(wallets.userId, userId), eq(wallets.address, address), isNotNull(wallets.provenAt));
