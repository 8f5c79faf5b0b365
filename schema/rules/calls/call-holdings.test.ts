import { expect, it } from 'vitest';
import { STABLE_COIN_MINTS, WRAPPED_SOL_MINT } from '#schema/constants.ts';
import type { TokenTransfer, Movements, TokenAccountChange } from './buys.ts';
import { findHoldings, summarizeHoldings, type SummedHoldings, type TokenHistory } from './call-holdings.ts';
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
it.each([
  ['a sale for SOL', 'sale', { changes: [left], sol: { owner: 7n } }],
  [
    'a sale for wrapped SOL',
    'sale',
    {
      changes: [left, { address: 'wrapped', mint: WRAPPED_SOL_MINT, before: 0n, after: 7n }],
      sol: { wrapped: 7n },
    },
  ],
  [
    'a sale for a stable coin, with a tip',
    'sale',
    { changes: [left, { address: 'coins', mint: COIN, before: 0n, after: 7n }], sol: { owner: -2n } },
  ],
  [
    'a swap for another token in one instruction, with a tip',
    'sale',
    {
      changes: [left, otherTokens],
      sol: { owner: -2n },
      handovers: [given, handover('vault', 'other account', OTHER)],
    },
  ],
  ['a transfer', 'moved', { changes: [left], handovers: [given] }],
  [
    'a deposit in a pool that mints a receipt',
    'moved',
    { changes: [left, otherTokens], handovers: [given, handover(null, 'other account', OTHER)] },
  ],
  [
    'a deposit of two tokens',
    'moved',
    {
      changes: [left, { address: 'third', mint: 'third', before: 9n, after: 1n }, otherTokens],
      handovers: [given, handover('third', 'vault', 'third'), handover('vault', 'other account', OTHER)],
    },
  ],
  [
    'a transfer, and a gift in another instruction',
    'moved',
    { changes: [left, otherTokens], handovers: [given, handover('vault', 'other account', OTHER, 1)] },
  ],
] as const)('tokens that leave the wallets in %s count as "%s"', (_what, kind, parts) => {
  expect(findTrade(movements(parts), { owners, mint: MINT })).toEqual({ kind, amount: 6n, lamports: null });
});

it('a transfer to another wallet of the same person is no trade', () => {
  const changes = [
    { before: 10n, after: 4n },
    { address: 'second account', owner: 'second', before: 0n, after: 6n },
  ];
  expect(findTrade(movements({ changes }), { owners, mint: MINT })).toBeNull();
});

const buy = ({ before = 0n, after = 10n, slot = 1, lamports = 7n, at = 1_000 } = {}) => ({
  slot,
  movements: movements({
    blockTime: at,
    changes: [
      { before, after },
      { address: 'vault', owner: 'pool', before: 100n, after: 100n - (after - before) },
    ],
    sol: { owner: -lamports, pool: lamports },
  }),
});
const history = (...transactions: TokenHistory['transactions'][number][]): TokenHistory => ({
  mint: MINT,
  owners,
  accounts: new Map([['account', transactions.at(-1)?.movements.tokenAccounts[0]?.after ?? 0n]]),
  transactions,
  calledAt: 1_500,
});

it('holdings are split at the time of the call', () => {
  const found = findHoldings(history(buy(), buy({ before: 10n, after: 15n, slot: 2, at: 2_000 })));
  expect(found).toMatchObject({ heldBefore: 10n, bought: 10n, spentLamports: 7n, acquired: 5n, sold: 0n });
});

it('the first purchase of holdings is the first one after the wallets were last empty', () => {
  const sale = movements({ blockTime: 1_100, changes: [{ before: 10n, after: 0n }], sol: { owner: 9n } });
  const found = findHoldings(
    history(buy(), { slot: 2, movements: sale }, buy({ slot: 3, lamports: 4n, at: 1_200 })),
  );
  expect(found).toMatchObject({ heldBefore: 10n, bought: 10n, spentLamports: 4n, firstBoughtAt: 1_200 });
});

it('holdings are found in any order of the transactions of one slot', () => {
  const mixed = history(buy({ before: 10n, after: 15n }), buy());
  expect(findHoldings({ ...mixed, accounts: new Map([['account', 15n]]) })).toMatchObject({
    heldBefore: 15n,
  });
});

it.each([
  ['the first transaction is missing', history(buy({ before: 3n }))],
  ['a transaction in the middle is missing', history(buy(), buy({ before: 11n, after: 12n, slot: 2 }))],
  ['the last transaction is missing', { ...history(buy()), accounts: new Map([['account', 3n]]) }],
  [
    'the account changed hands',
    history({ slot: 1, movements: movements({ changes: [{ owner: 'stranger', before: 0n, after: 0n }] }) }),
  ],
  [
    'a block has no time',
    history({ slot: 1, movements: movements({ blockTime: null, changes: [{ before: 0n, after: 0n }] }) }),
  ],
])('holdings are unknown if %s', (_what, broken) => {
  expect(findHoldings(broken)).toBeNull();
});

const call = (parts: Partial<SummedHoldings>): SummedHoldings => ({
  heldBefore: 0n,
  acquired: 0n,
  sold: 0n,
  movedAway: 0n,
  firstSoldAt: null,
  calledAt: 1_000,
  ...parts,
});
const sale = (firstSoldAt: number) => call({ heldBefore: 9n, sold: 1n, firstSoldAt });

it('the summary of holdings covers calls whose token was held, and counts transfers away as not held', () => {
  const calls = [
    call({}),
    call({ heldBefore: 1n }),
    call({ acquired: 1n }),
    call({ heldBefore: 5n, movedAway: 1n }),
    sale(4_000),
  ];
  expect(summarizeHoldings(calls)).toEqual({ held: 4, kept: 2, sold: 1, medianFirstSaleMs: 3_000 });
});

it.each([
  [[], null],
  [[2_000], 1_000],
  [[9_000, 2_000], 4_500],
  [[9_000, 2_000, 3_000], 2_000],
])('the summary of holdings with first sales at %j has a median of %s ms', (times, median) => {
  expect(summarizeHoldings(times.map(sale)).medianFirstSaleMs).toBe(median);
});
