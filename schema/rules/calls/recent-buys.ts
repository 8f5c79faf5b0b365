import { RECENT_BUYS_SHOWN } from '#schema/constants/market.ts';

export function pickRecentBuys<Transaction extends { readonly transactionType: string }>(
  transactions: readonly Transaction[],
): readonly Transaction[] {
  return transactions.filter(({ transactionType }) => transactionType === 'buy').slice(0, RECENT_BUYS_SHOWN);
}
