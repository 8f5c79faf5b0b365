import { PublicKey, type ParsedTransactionWithMeta } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { findBuys } from '#schema/rules/calls/buys.ts';
import { readMovements } from './solana-movements.ts';

const address = (name: string) => new PublicKey(new TextEncoder().encode(name.padEnd(32, '.'))).toBase58();
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const MINT = address('mint');
const FEE = 5_000;

const spl = (type: string, info: object, programId = TOKEN_PROGRAM) => ({
  program: 'spl-token',
  programId: new PublicKey(programId),
  parsed: { type, info },
});
const system = (info: object) => ({
  program: 'system',
  programId: PublicKey.default,
  parsed: { type: 'transfer', info },
});
const program = { programId: new PublicKey(address('swap program')), accounts: [], data: '' };
const memo = { program: 'spl-memo', programId: new PublicKey(address('memo')), parsed: 'gm' };

interface Balance {
  readonly account: string;
  readonly owner: string;
  readonly mint: string;
  readonly amounts: readonly [number, number];
}

interface Instruction {
  readonly own: object;
  readonly within?: readonly object[];
}

/** A swap: the token balances and the instructions of its transaction. */
type Swap = readonly [balances: readonly Balance[], ...instructions: readonly Instruction[]];

/** Builds a parsed transaction. */
function parsed({
  lamports,
  balances,
  instructions,
}: {
  lamports: Record<string, readonly [number, number]>;
  balances: readonly Balance[];
  instructions: readonly Instruction[];
}): ParsedTransactionWithMeta {
  const names = Object.keys(lamports);
  const tokenBalances = (side: 0 | 1) =>
    balances.map(({ account, owner, mint, amounts }) => ({
      accountIndex: names.indexOf(account),
      owner: address(owner),
      mint,
      uiTokenAmount: { amount: String(amounts[side]), decimals: 6, uiAmount: null },
    }));
  return {
    slot: 1,
    blockTime: 1_700_000_000,
    transaction: {
      signatures: ['signature'],
      message: {
        accountKeys: names.map((name, index) => ({
          pubkey: new PublicKey(address(name)),
          signer: index === 0,
          writable: true,
        })),
        instructions: instructions.map(({ own }) => own),
        recentBlockhash: '',
      },
    },
    meta: {
      err: null,
      fee: FEE,
      preBalances: Object.values(lamports).map(([before]) => before),
      postBalances: Object.values(lamports).map(([, after]) => after),
      preTokenBalances: tokenBalances(0),
      postTokenBalances: tokenBalances(1),
      innerInstructions: instructions.flatMap(({ within }, index) =>
        within ? [{ index, instructions: within }] : [],
      ),
    },
  } as unknown as ParsedTransactionWithMeta;
}

const tokens = (seller: string): Balance[] => [
  { account: 'own tokens', owner: 'owner', mint: MINT, amounts: [0, 70] },
  { account: 'token vault', owner: seller, mint: MINT, amounts: [100, 30] },
];
const paid = {
  owner: [1_000_000, 1_000_000 - FEE - 900],
  'own tokens': [2_000, 2_000],
  'token vault': [2_000, 2_000],
  'sol vault': [5_000, 5_900],
} as const;
const payment = system({ source: address('owner'), destination: address('sol vault'), lamports: 900 });
const delivery = spl('transferChecked', {
  source: address('token vault'),
  destination: address('own tokens'),
  mint: MINT,
  authority: address('program authority'),
  tokenAmount: { amount: '70' },
});
const boughtBy = ([balances, ...instructions]: Swap) => {
  const found = parsed({ lamports: paid, balances, instructions });
  return findBuys(readMovements('signature', found), [address('owner')]).map(({ mint, amount }) => [
    mint,
    amount,
  ]);
};
const wrapped: Balance = {
  account: 'sol vault',
  owner: 'another authority',
  mint: WRAPPED_SOL_MINT,
  amounts: [5_000, 5_900],
};
// An unchecked transfer doesn't name its mint. The mint is known from the vault's balance.
const unchecked = spl('transfer', {
  source: address('gone'),
  destination: address('sol vault'),
  authority: address('owner'),
  amount: '900',
});
const minting = spl(
  'mintToChecked',
  {
    mint: MINT,
    account: address('own tokens'),
    mintAuthority: address('program authority'),
    tokenAmount: { amount: '70' },
  },
  TOKEN_2022_PROGRAM,
);
const imitation = { ...delivery, programId: new PublicKey(address('not a token program')) };
const sold = tokens('program authority');
const swap = (...within: object[]) => ({ own: program, within });

it.each<[string, Swap]>([
  ['takes SOL into one vault and pays tokens out of another', [sold, { own: memo }, swap(payment, delivery)]],
  [
    'takes wrapped SOL from an account that is closed afterwards',
    [[...sold, wrapped], swap(unchecked, delivery)],
  ],
  ['mints the token, even with Token-2022', [tokens('owner').slice(0, 1), swap(payment, minting)]],
])('a swap by a program is a buy if it %s', (_what, made) => {
  expect(boughtBy(made)).toEqual([[MINT, 70n]]);
});

it.each<[string, Swap]>([
  ['payment is outside the program that delivers the tokens', [sold, swap(delivery), { own: payment }]],
  ['transfer instruction belongs to another program', [sold, swap(payment, imitation)]],
])('a swap by a program is no buy if the %s', (_what, made) => {
  expect(boughtBy(made)).toEqual([]);
});
