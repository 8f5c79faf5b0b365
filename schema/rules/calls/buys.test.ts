import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { STABLE_COIN_MINTS } from './stable-coin-mints.ts';
import { findBuys, type TokenTransfer, type Movements, type OpenedAccount } from './buys.ts';

const OWNER = 'owner';
const [USDC = '', USDT = ''] = STABLE_COIN_MINTS;
const FEE = 5_000n;
const RENT = 2_039_280n;
const DECIMALS = 6;

interface Change {
  readonly mint: string;
  readonly by: bigint;
  readonly owner?: string;
  readonly decimals?: number;
  /** The change of the token account's lamports, which are its rent or its wrapped SOL. */
  readonly lamports?: bigint;
}

interface Parts {
  /** The change of the lamports in the owner's wallet, without the network fee. */
  readonly sol?: bigint;
  /** The changes of the lamports in other wallets, by wallet, without the network fee. */
  readonly solOf?: Readonly<Record<string, bigint>>;
  /** The accounts are named account-0, account-1, ... in this order. */
  readonly tokens?: readonly Change[];
  readonly opened?: readonly OpenedAccount[];
  readonly handovers?: readonly TokenTransfer[];
  readonly hasFailed?: boolean;
  readonly feePayer?: string;
}

function transaction({
  sol = 0n,
  solOf = {},
  tokens = [],
  opened = [],
  handovers = [],
  hasFailed = false,
  feePayer = OWNER,
}: Parts): Movements {
  const accounts = tokens.map(({ mint, by, owner = OWNER, decimals = DECIMALS, lamports = 0n }, index) => ({
    address: `account-${index}`,
    owner,
    mint,
    by,
    decimals,
    lamports,
  }));
  const wallets = Object.entries({ [feePayer]: 0n, ...solOf, [OWNER]: sol });
  return {
    signature: 's',
    blockTime: 0,
    hasFailed,
    feePayer,
    feeLamports: FEE,
    lamportChanges: new Map([
      ...wallets.map(([wallet, change]) => [wallet, change - (feePayer === wallet ? FEE : 0n)] as const),
      ...accounts.map(({ address, lamports }) => [address, lamports] as const),
      ...opened
        .filter(({ address }) => !address.startsWith('account-'))
        .map(({ address, lamports }) => [address, lamports] as const),
    ]),
    tokenAccounts: accounts.map(({ address, owner, mint, decimals, by }) => ({
      address,
      owner,
      mint,
      decimals,
      before: by < 0n ? -by : 0n,
      after: by > 0n ? by : 0n,
    })),
    openedAccounts: opened,
    handovers,
  };
}

const bought = (parts: Parts, owners = [OWNER]) =>
  findBuys(transaction(parts), owners).map(({ mint, amount }) => [mint, amount]);
const rentOf = (payer: string, address = 'opened'): OpenedAccount => ({ address, payer, lamports: RENT });

/** SOL that the owner gives to another wallet. */
const paying = (lamports: bigint, wallet = 'pool') => ({ sol: -lamports, solOf: { [wallet]: lamports } });
const tip = paying(10n, 'stranger');

interface Sides {
  readonly other?: string;
  readonly own?: Partial<Change>;
  readonly others?: Partial<Change>;
}

/** Returns the changes of a token that the owner gets, or gives if `by` is negative. */
const moved = (mint: string, by: bigint, { other = 'pool', own, others }: Sides = {}): Change[] => [
  { mint, by, ...own },
  { mint, by: -by, owner: other, ...others },
];
const SEVEN = moved('token', 7n);
const MINTED: Change[] = [{ mint: 'token', by: 7n }];
const WITH_RENT = moved('token', 7n, { own: { lamports: RENT } });
const BOUGHT: [string, bigint][] = [['token', 7n]];
const handover = (
  instruction: number,
  mint: string,
  from: string | null,
  to: string,
  authority = from ?? 'issuer',
): TokenTransfer => ({ instruction, mint, from, authority, to });
/** SOL that the owner gives in an instruction. */
const solTo = (instruction: number, to: string) => handover(instruction, WRAPPED_SOL_MINT, OWNER, to);
/** The token that an instruction transfers to the owner. */
const tokenBy = (instruction: number) => handover(instruction, 'token', 'account-1', 'account-0');
const mintedBy = (instruction: number, authority?: string) =>
  handover(instruction, 'token', null, 'account-0', authority);
const wrapped = (lamports: bigint, owner?: string): Change => ({
  mint: WRAPPED_SOL_MINT,
  by: lamports,
  lamports,
  ...(owner && { owner }),
});

it.each(
  Object.entries<Parts>({
    'SOL for a token': { ...paying(1_000n), tokens: SEVEN },
    'SOL for a token whose account is opened with it': {
      sol: -1_000n - RENT,
      solOf: { pool: 1_000n },
      tokens: WITH_RENT,
    },
    'a little SOL for a token whose account the seller opens': {
      sol: -1_000n,
      solOf: { pool: 1_000n - RENT },
      tokens: WITH_RENT,
      opened: [rentOf('pool', 'account-0')],
    },
    'wrapped SOL for a token': { tokens: [...SEVEN, wrapped(-1_000n), wrapped(1_000n, 'pool')] },
    'SOL for a token whose seller pays the fee': { ...paying(1n), feePayer: 'pool', tokens: SEVEN },
    'USDC for a token': { tokens: [...SEVEN, ...moved(USDC, -5n)] },
    'USDT for a token': { tokens: [...SEVEN, ...moved(USDT, -5n)] },
    'USDC for a token, with the returned rent of a closed account': {
      sol: RENT,
      tokens: [...SEVEN, ...moved(USDC, -5n, { own: { lamports: -RENT } })],
    },
    'SOL for a token in two accounts': {
      ...paying(9n),
      tokens: [{ mint: 'token', by: 1n }, ...moved('token', 6n, { others: { by: -7n } })],
    },
    'SOL for another token, which in turn buys the token': {
      ...paying(9n, 'first'),
      tokens: [...SEVEN, ...moved('between', -3n, { own: { owner: 'first' } })],
    },
    'SOL for a token, with a tip for a validator': {
      sol: -1_010n,
      solOf: { pool: 1_000n, validator: 10n },
      tokens: SEVEN,
    },
    'SOL for a token that its issuer mints': {
      ...paying(9n, 'issuer'),
      tokens: MINTED,
      handovers: [mintedBy(1)],
    },
    'SOL for several units of an indivisible token': {
      ...paying(9n),
      tokens: moved('token', 7n, { own: { decimals: 0 }, others: { decimals: 0 } }),
    },
    // In these cases, the account that gives the tokens gains no money: the program holds money and tokens
    // in different accounts, or mints the tokens that it sells.
    'one instruction that takes SOL and transfers the token': {
      ...paying(9n, 'vault'),
      tokens: SEVEN,
      handovers: [solTo(2, 'vault'), tokenBy(2)],
    },
    'one instruction that takes SOL and mints the token': {
      ...paying(9n, 'reserve'),
      tokens: MINTED,
      handovers: [solTo(0, 'reserve'), mintedBy(0)],
    },
    'one instruction that takes USDC by a delegate': {
      tokens: [...SEVEN, ...moved(USDC, -5n, { other: 'vault' })],
      handovers: [handover(0, USDC, 'account-2', 'account-3', 'delegate'), tokenBy(0)],
    },
    'one instruction that takes wrapped SOL from an account that is closed afterwards': {
      sol: -9n,
      tokens: [...SEVEN, wrapped(9n, 'vault')],
      handovers: [handover(3, WRAPPED_SOL_MINT, 'gone', 'account-2', OWNER), tokenBy(3)],
    },
    'SOL for another token, which a second instruction swaps for the token': {
      ...paying(9n, 'vault'),
      tokens: [...SEVEN, { mint: 'between', by: 0n }, { mint: 'between', by: 3n, owner: 'second vault' }],
      handovers: [
        solTo(0, 'vault'),
        handover(0, 'between', 'first pool', 'account-2'),
        handover(1, 'between', 'account-2', 'account-3', OWNER),
        tokenBy(1),
      ],
    },
    // These also have tokens that nobody paid for.
    'SOL for a token, and a gift': {
      ...paying(9n),
      tokens: [...SEVEN, ...moved('gift', 3n, { other: 'giver' })],
    },
    'SOL for a token, and a gift from an instruction without a payment': {
      ...paying(9n, 'vault'),
      tokens: [...SEVEN, ...moved('gift', 3n, { other: 'giver' })],
      handovers: [solTo(0, 'vault'), tokenBy(0), handover(1, 'gift', 'account-3', 'account-2')],
    },
    'SOL for a token, and the rent of another wallet’s account': {
      ...paying(RENT),
      tokens: SEVEN,
      opened: [rentOf('other')],
    },
  }),
)('findBuys finds the bought tokens in a transaction with %s', (_name, parts) => {
  expect(bought(parts)).toEqual(BOUGHT);
});

it('findBuys finds both tokens that one transaction buys with SOL', () => {
  const tokens = [...moved('a', 1n, { other: 'x' }), ...moved('b', 2n, { other: 'y' })];
  expect(bought({ sol: -9n, solOf: { x: 4n, y: 5n }, tokens })).toEqual([
    ['a', 1n],
    ['b', 2n],
  ]);
});

it.each(
  Object.entries<Parts>({
    'a failed transaction': { hasFailed: true, ...paying(1_000n), tokens: SEVEN },
    'an incoming transfer': { feePayer: 'pool', tokens: SEVEN },
    'a gift whose network fee the user pays': { tokens: SEVEN },
    'a gift whose token account the user pays for': { sol: -RENT, tokens: WITH_RENT },
    'a gift with another account whose rent the user pays': {
      sol: -RENT,
      tokens: SEVEN,
      opened: [rentOf(OWNER)],
    },
    'a gift with an account that the user opens for the giver': {
      sol: -RENT,
      tokens: [...SEVEN, { mint: 'other', by: 0n, owner: 'pool', lamports: RENT }],
      opened: [rentOf(OWNER, 'account-2')],
    },
    'a gift with a tip for a stranger': { ...tip, tokens: SEVEN },
    'a gift with a tip, if the giver closes an account': {
      sol: -10n,
      solOf: { stranger: 10n, pool: RENT },
      tokens: moved('token', 7n, { others: { lamports: -RENT } }),
    },
    'a gift with a tip, if the giver wraps SOL': {
      sol: -10n,
      solOf: { stranger: 10n, pool: -5n },
      tokens: [...SEVEN, wrapped(5n, 'pool')],
    },
    'a gift next to a USDC payment to a stranger': {
      tokens: [...SEVEN, ...moved(USDC, -5n, { other: 'stranger' })],
    },
    'tokens that an issuer mints as a gift, with a tip': {
      ...tip,
      tokens: MINTED,
      handovers: [mintedBy(0), solTo(1, 'stranger')],
    },
    'a claim from a program with a tip in another instruction': {
      ...tip,
      tokens: SEVEN,
      handovers: [tokenBy(0), solTo(1, 'stranger')],
    },
    'a claim with a tip, from a program that also wraps SOL': {
      sol: -30n,
      solOf: { stranger: 10n },
      tokens: [...SEVEN, wrapped(20n)],
      handovers: [solTo(0, 'account-2'), tokenBy(0)],
    },
    'tokens that the user mints, with a tip': { ...tip, tokens: MINTED, handovers: [mintedBy(0, OWNER)] },
    'a gift that another wallet gets too, with a tip': {
      ...tip,
      tokens: [...SEVEN, ...moved('token', 2n, { own: { owner: 'friend' } })],
    },
    'a token that another wallet pays for': { solOf: { pool: 9n, friend: -9n }, tokens: SEVEN },
    'receiving a token and SOL': { sol: 1_000n, feePayer: 'pool', tokens: SEVEN },
    'swapping a token for another': { tokens: [...SEVEN, ...moved('old', -7n)] },
    'swapping a token for another, with a tip': {
      ...paying(10n, 'validator'),
      tokens: [...SEVEN, ...moved('old', -7n)],
    },
    'SOL and a token for a share of a pool': {
      ...paying(9n),
      tokens: [{ mint: 'share', by: 7n }, ...moved('old', -7n)],
      handovers: [solTo(0, 'pool'), handover(0, 'share', null, 'account-0')],
    },
    'an NFT': {
      ...paying(9n),
      tokens: moved('nft', 1n, { own: { decimals: 0 }, others: { decimals: 0 } }),
    },
    'SOL sent away': paying(1_000n, 'stranger'),
    'selling for SOL': { sol: 1_000n, tokens: [{ mint: 'token', by: -7n }] },
    'selling for USDC, with a tip': {
      sol: -10n,
      tokens: [
        { mint: 'token', by: -7n },
        { mint: USDC, by: 5n },
      ],
    },
    'wrapping SOL': {
      sol: -1_000n - RENT,
      tokens: [{ ...wrapped(1_000n), lamports: 1_000n + RENT }],
    },
    'unwrapping SOL': {
      sol: 1_000n + RENT,
      tokens: [{ ...wrapped(-1_000n), lamports: -1_000n - RENT }],
    },
    'SOL for USDC': { ...paying(1_000n), tokens: moved(USDC, 5n) },
    'a token that moves between the user’s own accounts': {
      ...paying(1_000n, 'stranger'),
      tokens: moved('token', 7n, { other: OWNER }),
    },
    'a token that another wallet gets for the user’s SOL': {
      ...paying(1_000n),
      tokens: moved('token', 7n, { own: { owner: 'other' } }),
    },
  }),
)('findBuys finds no bought token in a transaction with %s', (_name, parts) => {
  expect(bought(parts)).toEqual([]);
});

const owners = [OWNER, 'second'];

it('findBuys finds a bought token if one wallet of a user pays and another gets the token', () => {
  const parts: Parts = { ...paying(9n), tokens: moved('token', 7n, { own: { owner: 'second' } }) };
  expect(bought(parts, owners)).toEqual(BOUGHT);
});

it('findBuys finds no bought token in a transaction with a gift and a transfer between the user’s wallets', () => {
  const parts: Parts = {
    sol: -19n,
    solOf: { second: 9n, stranger: 10n },
    tokens: [...SEVEN, ...moved('token', 2n, { other: 'second' })],
  };
  expect(bought(parts, owners)).toEqual([]);
});

it('findBuys finds no bought token if one of a user’s wallets sells the token to another wallet of the user', () => {
  const parts: Parts = { ...paying(9n, 'second'), tokens: moved('token', 7n, { other: 'second' }) };
  expect(bought(parts)).toEqual(BOUGHT);
  expect(bought(parts, owners)).toEqual([]);
});

const anyAmount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
const anyChange = fc.record({
  mint: fc.constantFrom('a', 'b', 'c', WRAPPED_SOL_MINT, USDC, USDT),
  by: anyAmount,
  owner: fc.constantFrom(OWNER, 'other'),
  lamports: anyAmount,
});
const anyAddress = fc.constantFrom(OWNER, 'other', 'account-0', 'account-1', 'account-2');
const anyHandover = fc.record({
  instruction: fc.nat(2),
  mint: fc.constantFrom('a', 'b', WRAPPED_SOL_MINT, USDC, null),
  from: fc.option(anyAddress),
  authority: anyAddress,
  to: anyAddress,
});
const anyParts = fc.record({
  sol: anyAmount,
  solOf: fc.record({ other: anyAmount }),
  tokens: fc.array(anyChange, { maxLength: 6 }),
  handovers: fc.array(anyHandover, { maxLength: 4 }),
  hasFailed: fc.boolean(),
  feePayer: fc.constantFrom(OWNER, 'other'),
});

it('findBuys finds no bought token in a random transaction that failed or cost nothing', () => {
  fc.assert(fc.property(anyParts, (parts) => bought({ ...parts, hasFailed: true }).length === 0));
  const positive = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(
      anyParts,
      positive,
      fc.array(fc.record({ mint: fc.constantFrom('a', 'b', USDC), by: positive }), { maxLength: 6 }),
      (parts, sol, tokens) => bought({ ...parts, sol, tokens }).length === 0,
    ),
  );
});

it('findBuys returns each token at most once and with a positive amount, and never returns SOL or a stable coin', () => {
  fc.assert(
    fc.property(anyParts, (parts) => {
      const buys = findBuys(transaction(parts), [OWNER]);
      return (
        buys.every(({ mint, amount: of }) => of > 0n && ['a', 'b', 'c'].includes(mint)) &&
        new Set(buys.map(({ mint }) => mint)).size === buys.length
      );
    }),
  );
});
