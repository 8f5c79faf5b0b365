import { expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { STABLE_COIN_MINTS } from './stable-coin-mints.ts';
import type { TokenTransfer, Movements, TokenAccountChange } from './buys.ts';
import {
  describeTrades,
  findTrades,
  phaseOf,
  summarizeHoldings,
  type FoundTrades,
  type HoldingsMovement,
  type SummedHoldings,
  type TokenHistory,
} from './call-holdings.ts';
import { findTrade } from './trades.ts';

const [MINT, OTHER, COIN = ''] = ['mint', 'other mint', ...STABLE_COIN_MINTS];
const owners = ['owner', 'second'];

type Change = Partial<TokenAccountChange> & Pick<TokenAccountChange, 'before' | 'after'>;

const change = (each: Change): TokenAccountChange => ({
  address: 'account',
  owner: 'owner',
  mint: MINT,
  decimals: 6,
  ...each,
});

function movements({
  changes = [],
  sol = {},
  ...rest
}: Partial<Movements> & { changes?: readonly Change[]; sol?: Record<string, bigint> }): Movements {
  return {
    signature: 'signature',
    blockTime: 1_000,
    hasFailed: false,
    feePayer: 'owner',
    feeLamports: 0n,
    lamportChanges: new Map(Object.entries(sol)),
    tokenAccounts: changes.map(change),
    openedAccounts: [],
    handovers: [],
    ...rest,
  };
}

const handover = (from: string | null, to: string, mint: string, instruction = 0): TokenTransfer => ({
  instruction,
  mint,
  from,
  authority: from === 'account' ? 'owner' : 'pool',
  to,
});
const given = handover('account', 'vault', MINT);
const otherTokens = { address: 'other account', mint: OTHER, before: 0n, after: 5n };

const left = { before: 10n, after: 4n };
const taken = { address: 'vault', owner: 'pool', before: 0n, after: 6n };
const sold = { lamports: 7n, coins: 0n };
it.each([
  ['a sale for SOL', 'sold', sold, { changes: [left, taken], sol: { owner: 7n, pool: -7n } }],
  [
    'a sale for wrapped SOL in one instruction',
    'sold',
    sold,
    {
      changes: [left, { address: 'wrapped', mint: WRAPPED_SOL_MINT, before: 0n, after: 7n }],
      sol: { wrapped: 7n },
      handovers: [given, handover('vault', 'wrapped', WRAPPED_SOL_MINT)],
    },
  ],
  [
    'a sale for a stable coin, with a tip',
    'sold',
    { lamports: 0n, coins: 7n },
    {
      changes: [
        left,
        taken,
        { address: 'coins', mint: COIN, before: 0n, after: 7n },
        { address: 'pool coins', owner: 'pool', mint: COIN, before: 7n, after: 0n },
      ],
      sol: { owner: -2n, stranger: 2n },
    },
  ],
  ['a transfer', 'sent', null, { changes: [left, taken], handovers: [given] }],
  [
    'a transfer, and SOL from somebody else',
    'sent',
    null,
    { changes: [left, taken], sol: { owner: 7n, stranger: -7n }, handovers: [given] },
  ],
  [
    'a swap for another token in one instruction',
    'sent',
    null,
    { changes: [left, otherTokens], handovers: [given, handover('vault', 'other account', OTHER)] },
  ],
  [
    'a deposit in a pool that mints a receipt',
    'sent',
    null,
    { changes: [left, otherTokens], handovers: [given, handover(null, 'other account', OTHER)] },
  ],
  [
    'a deposit of two tokens that returns SOL',
    'sent',
    null,
    {
      changes: [left, { address: 'third', mint: 'third', before: 9n, after: 1n }],
      sol: { owner: 1n },
      handovers: [given, handover('third', 'vault', 'third'), handover('vault', 'owner', WRAPPED_SOL_MINT)],
    },
  ],
] as const)('tokens that leave the wallets in %s are %s', (_what, kind, payment, parts) => {
  expect(findTrade(movements(parts), { owners, mint: MINT })).toEqual({ kind, amount: 6n, payment });
});

it('a transfer to another wallet of the same person is no trade', () => {
  const changes = [
    { before: 10n, after: 4n },
    { address: 'second account', owner: 'second', before: 0n, after: 6n },
  ];
  expect(findTrade(movements({ changes }), { owners, mint: MINT })).toBeNull();
});

const calledAt = 10 * DAY_MS;
const endedAt = calledAt + HOUR_MS;
const times = { calledAt, endedAt };

const buy = ({ before = 0n, after = 10n, at = calledAt, address = 'account' } = {}) =>
  movements({
    blockTime: at,
    changes: [
      { address, before, after },
      { address: 'vault', owner: 'pool', before: 100n, after: 100n - (after - before) },
    ],
    sol: { owner: -7n, pool: 7n },
  });
const history = (...transactions: Movements[]): TokenHistory => ({
  mint: MINT,
  owners,
  accounts: new Map([['account', transactions.length === 0 ? 3n : null]]),
  transactions,
});

it('trades are found from an hour before a call to a day after its end', () => {
  const at = [calledAt - HOUR_MS - 1, calledAt - HOUR_MS, endedAt + DAY_MS, endedAt + DAY_MS + 1];
  const found = findTrades(history(...at.map((each) => buy({ at: each }))), times);
  expect(found.trades).toEqual(
    at.slice(1, 3).map((each) => ({
      kind: 'bought',
      amount: 10n,
      payment: { lamports: 7n, coins: 0n },
      at: each,
    })),
  );
});

it.each([
  ['the balance, without a transaction', history(), 3n],
  ['the balance before the first transaction', history(buy({ before: 4n }), buy({ before: 9n })), 4n],
  [
    'the balances of two accounts, of which one was closed',
    { ...history(buy({ before: 4n }), buy({ before: 5n, address: 'closed' })) },
    9n,
  ],
  [
    'unknown, if the first transaction can’t be read',
    { ...history(), accounts: new Map([['account', null]]) },
    null,
  ],
])('the amount held before a call is %s', (_what, transactions, held) => {
  expect(findTrades(transactions, times).heldBefore).toBe(held);
});

const prices = { get: () => ({ token: '1', sol: '200' }) };
type Found = FoundTrades['trades'][number];
const trade = (parts: Partial<Found>): Found => ({
  kind: 'received',
  amount: 50_000_000n,
  payment: null,
  at: calledAt,
  ...parts,
});
const describeOne = (parts: Partial<Found>, sol: string | null = '200') =>
  describeTrades(
    { decimals: 6, heldBefore: 1_500_000n, trades: [trade(parts)] },
    { ...times, prices: new Map([[parts.at ?? calledAt, { ...prices.get(), sol }]]) },
  ).movements.map(({ kind, usd }) => [kind, usd]);

it('describeTrades returns a movement’s time, amount in tokens and value in dollars', () => {
  const found = { decimals: 6, heldBefore: 1_500_000n, trades: [trade({})] };
  expect(describeTrades(found, { ...times, prices: new Map([[calledAt, prices.get()]]) })).toEqual({
    heldBefore: '1.5',
    movements: [{ at: new Date(calledAt).toISOString(), kind: 'received', amount: '50', usd: 50 }],
  });
});

const paid = (lamports: bigint, coins = 0n) => ({ payment: { lamports, coins } });
it.each([
  ['a purchase for SOL', { kind: 'bought', ...paid(400_000_000n) }, [['bought', 80]]],
  ['a purchase for SOL and coins', { kind: 'bought', ...paid(100_000_000n, 5_000_000n) }, [['bought', 25]]],
  ['a purchase for several tokens', { kind: 'bought' }, [['bought', 50]]],
  ['a gift with a tip', { kind: 'bought', ...paid(1_000_000n) }, [['received', 50]]],
  [
    'a cheap purchase before the call',
    { kind: 'bought', at: calledAt - 1, amount: 900_000_000n, ...paid(0n, 30_000_000n) },
    [['bought', 30]],
  ],
  [
    'a deposit with a reward two hours after the end',
    { kind: 'sold', at: endedAt + 2 * HOUR_MS, ...paid(0n, 4_999_999n) },
    [['sent', null]],
  ],
  ['a deposit with a reward', { kind: 'sold', ...paid(0n, 4_999_999n) }, [['sent', 50]]],
  [
    'a sale for a tenth of the price',
    { kind: 'sold', amount: 200_000_000n, ...paid(100_000_000n) },
    [['sold', 20]],
  ],
  ['a sale for less than $20', { kind: 'sold', ...paid(0n, 19_990_000n) }, []],
  ['a transfer of less than $20', { amount: 19_990_000n }, []],
  ['a transfer an hour after the end', { at: endedAt + HOUR_MS }, [['received', 50]]],
  ['a transfer more than an hour after the end', { at: endedAt + HOUR_MS + 1 }, [['received', null]]],
  ['a tiny transfer more than an hour after the end', { at: endedAt + HOUR_MS + 1, amount: 1n }, []],
  [
    'a sale two hours after the end',
    { at: endedAt + 2 * HOUR_MS, kind: 'sold', ...paid(400_000_000n) },
    [['sold', 80]],
  ],
] as const)('describeTrades returns the kinds and values $2 for $0', (_what, parts, expected) => {
  expect(describeOne(parts)).toEqual(expected);
});

it('a sale for SOL after the call has an unknown value without a SOL price', () => {
  const sale = { kind: 'sold', at: endedAt + 2 * HOUR_MS, ...paid(400_000_000n) } as const;
  expect(describeOne(sale, null)).toEqual([['sold', null]]);
});

it.each([
  [calledAt - 1_000, 'before'],
  [calledAt - 999, 'during'],
  [endedAt - 1_000, 'during'],
  [endedAt - 999, 'after'],
])('phaseOf(%i) is “%s”, with a tolerance of a second around the call’s opening and end', (at, phase) => {
  expect(phaseOf(at, times)).toBe(phase);
});

const summed = (...movements: (readonly [HoldingsMovement['kind'], number])[]): SummedHoldings => ({
  ...times,
  movements: movements.map(([kind, at]) => ({ kind, at: new Date(at).toISOString(), amount: '1', usd: 20 })),
});
const sale = (after: number) => summed(['sold', calledAt + after]);

it('the holdings summary counts calls with a purchase before the call’s end, and calls with a sale while the call was open', () => {
  const calls = [
    summed(),
    summed(['bought', calledAt - MINUTE_MS], ['sold', calledAt + MINUTE_MS]),
    summed(['sold', calledAt - MINUTE_MS], ['bought', calledAt]),
    summed(['received', calledAt], ['sent', calledAt]),
    summed(['bought', endedAt], ['sold', endedAt]),
  ];
  expect(summarizeHoldings(calls)).toEqual({ read: 5, bought: 2, sold: 1, medianFirstSaleMs: MINUTE_MS });
});

it.each([
  [[], null],
  [[1_000], 1_000],
  [[8_000, 1_000], 4_500],
  [[8_000, 1_000, 2_000], 2_000],
])('medianFirstSaleMs of calls with first sales after %j ms is %s', (delays, median) => {
  expect(summarizeHoldings(delays.map(sale)).medianFirstSaleMs).toBe(median);
});
