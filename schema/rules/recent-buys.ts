import { RECENT_BUYS_SHOWN } from '#schema/constants.ts';

/** Of a wallet's transactions, the first few that are buys, in the order they came in. */
export function pickRecentBuys<Transaction extends { readonly transactionType: string }>(
  transactions: readonly Transaction[],
): readonly Transaction[] {
  return transactions.filter(({ transactionType }) => transactionType === 'buy').slice(0, RECENT_BUYS_SHOWN);
}
