import { expect, it } from 'vitest';
import { RECENT_BUYS_SHOWN } from '#schema/constants/market.ts';
import { pickRecentBuys } from './recent-buys.ts';

const transactions = (...types: readonly string[]) =>
  types.map((transactionType, index) => ({ index, transactionType }));
const shown = (...types: readonly string[]) =>
  pickRecentBuys(transactions(...types)).map(({ index }) => index);

// Specification 2.187
it('pickRecentBuys returns only transactions that are buys', () => {
  expect(shown('buy', 'sell', 'transfer', 'buy', '', 'BUY')).toEqual([0, 3]);
});

// Specification 2.188, 9.24
it('pickRecentBuys returns the first ten buys', () => {
  expect(RECENT_BUYS_SHOWN).toBe(10);
  expect(shown('sell', ...Array.from({ length: 12 }, () => 'buy'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('pickRecentBuys returns nothing without a buy', () => {
  expect(shown()).toEqual([]);
  expect(shown('sell')).toEqual([]);
});
