import { RECENT_BUYS_SHOWN } from '#schema/constants/market.ts';

type Typed = { readonly transactionType: string };

export function pickRecentBuys<Transaction extends Typed>(
  transactions: readonly Transaction[],
): readonly Extract<Transaction, { transactionType: 'buy' }>[] {
  const isBuy = (each: Transaction): each is Extract<Transaction, { transactionType: 'buy' }> =>
    each.transactionType === 'buy';
  return transactions.filter(isBuy).slice(0, RECENT_BUYS_SHOWN);
}
