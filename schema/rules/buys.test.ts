import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STABLE_COIN_MINTS, WRAPPED_SOL_MINT } from '#schema/constants.ts';
import { findBuys, type Movements, type OpenedAccount } from './buys.ts';

const OWNER = 'owner';
const [USDC = '', USDT = ''] = STABLE_COIN_MINTS;
const FEE = 5_000n;
const RENT = 2_039_280n;
const DECIMALS = 6;

interface Change {
  readonly mint: string;
  readonly by: bigint;
  readonly owner?: string;
  /** What the token account's own lamports change by: its rent when it is opened or closed, or wrapped SOL. */
  readonly lamports?: bigint;
}

/** A transaction that the owner pays the fee of. `sol` is what their wallet changes by beyond that. */
function transaction({ sol = 0n, tokens = [], opened = [], hasFailed = false, feePayer = OWNER }: { sol?: bigint; tokens?: readonly Change[]; opened?: readonly OpenedAccount[]; hasFailed?: boolean; feePayer?: string }): Movements {
  const accounts = tokens.map(({ mint, by, owner = OWNER, lamports = 0n }, index) => ({ address: `account-${index}`, owner, mint, by, lamports }));
  return {
    signature: 's',
    blockTime: 0,
    hasFailed,
    feePayer,
    feeLamports: FEE,
    lamportChanges: new Map([
      [OWNER, sol - (feePayer === OWNER ? FEE : 0n)],
      ...accounts.map(({ address, lamports }) => [address, lamports] as const),
      ...opened.map(({ address, lamports }) => [address, lamports] as const),
    ]),
    tokenAccounts: accounts.map(({ address, owner, mint, by }) => ({ address, owner, mint, decimals: DECIMALS, before: by < 0n ? -by : 0n, after: by > 0n ? by : 0n })),
    openedAccounts: opened,
  };
}

const bought = (parts: Parameters<typeof transaction>[0]) => findBuys(transaction(parts), OWNER).map(({ mint, amount }) => [mint, amount]);
const rentOf = (payer: string): OpenedAccount => ({ address: 'opened', payer, lamports: RENT });

describe('a buy', () => {
  it.each<[string, Parameters<typeof transaction>[0], [string, bigint][]]>([
    ['SOL for a token', { sol: -1_000n, tokens: [{ mint: 'token', by: 7n }] }, [['token', 7n]]],
    ['SOL for a token whose account is opened with it', { sol: -1_000n - RENT, tokens: [{ mint: 'token', by: 7n, lamports: RENT }] }, [['token', 7n]]],
    ['wrapped SOL for a token', { tokens: [{ mint: WRAPPED_SOL_MINT, by: -1_000n, lamports: -1_000n }, { mint: 'token', by: 7n }] }, [['token', 7n]]],
    ['SOL for a token whose seller pays the fee', { sol: -1n, feePayer: 'seller', tokens: [{ mint: 'token', by: 7n }] }, [['token', 7n]]],
    ['USDC for a token', { tokens: [{ mint: USDC, by: -5n }, { mint: 'token', by: 7n }] }, [['token', 7n]]],
    ['USDT for a token', { tokens: [{ mint: USDT, by: -5n }, { mint: 'token', by: 7n }] }, [['token', 7n]]],
    ['USDC for a token, with rent of a closed account back', { sol: RENT, tokens: [{ mint: USDC, by: -5n, lamports: -RENT }, { mint: 'token', by: 7n }] }, [['token', 7n]]],
    ['SOL for two tokens', { sol: -9n, tokens: [{ mint: 'a', by: 1n }, { mint: 'b', by: 2n }] }, [['a', 1n], ['b', 2n]]],
    ['SOL for a token in two accounts', { sol: -9n, tokens: [{ mint: 'a', by: 1n }, { mint: 'a', by: 2n }] }, [['a', 3n]]],
  ])('is %s', (_what, parts, expected) => {
    expect(bought(parts)).toEqual(expected);
  });

  it.each<[string, Parameters<typeof transaction>[0]]>([
    ['a transaction that failed', { hasFailed: true, sol: -1_000n, tokens: [{ mint: 'token', by: 7n }] }],
    ['a transfer in', { feePayer: 'giver', tokens: [{ mint: 'token', by: 7n }] }],
    ['a gift that one pays the fee of', { tokens: [{ mint: 'token', by: 7n }] }],
    ['a gift that one opens the account for', { sol: -RENT, tokens: [{ mint: 'token', by: 7n, lamports: RENT }] }],
    ['a gift that one pays the rent of a receipt for', { sol: -RENT, tokens: [{ mint: 'token', by: 7n }], opened: [rentOf(OWNER)] }],
    ['a token and SOL at once', { sol: 1_000n, feePayer: 'giver', tokens: [{ mint: 'token', by: 7n }] }],
    ['SOL sent away', { sol: -1_000n }],
    ['selling for SOL', { sol: 1_000n, tokens: [{ mint: 'token', by: -7n }] }],
    ['selling for USDC, with a tip', { sol: -10n, tokens: [{ mint: 'token', by: -7n }, { mint: USDC, by: 5n }] }],
    ['wrapping SOL', { sol: -1_000n - RENT, tokens: [{ mint: WRAPPED_SOL_MINT, by: 1_000n, lamports: 1_000n + RENT }] }],
    ['unwrapping SOL', { sol: 1_000n + RENT, tokens: [{ mint: WRAPPED_SOL_MINT, by: -1_000n, lamports: -1_000n - RENT }] }],
    ['SOL for USDC', { sol: -1_000n, tokens: [{ mint: USDC, by: 5n }] }],
    ['a token that moves between one’s own accounts', { sol: -1_000n, tokens: [{ mint: 'token', by: 7n }, { mint: 'token', by: -7n }] }],
    ['what somebody else gets for one’s SOL', { sol: -1_000n, tokens: [{ mint: 'token', by: 7n, owner: 'other' }] }],
  ])('is not %s', (_what, parts) => {
    expect(bought(parts)).toEqual([]);
  });

  it('does not take another’s rent for one’s own', () => {
    expect(bought({ sol: -RENT, tokens: [{ mint: 'token', by: 7n }], opened: [rentOf('other')] })).toEqual([['token', 7n]]);
  });
});

describe('whatever a transaction moves', () => {
  const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
  const change = fc.record({ mint: fc.constantFrom('a', 'b', 'c', WRAPPED_SOL_MINT, USDC, USDT), by: amount, owner: fc.constantFrom(OWNER, 'other'), lamports: amount });
  const anything = fc.record({ sol: amount, tokens: fc.array(change, { maxLength: 6 }), hasFailed: fc.boolean(), feePayer: fc.constantFrom(OWNER, 'other') });

  it('what failed, and what cost nothing, bought nothing', () => {
    fc.assert(fc.property(anything, (parts) => bought({ ...parts, hasFailed: true }).length === 0));
    const positive = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(positive, fc.array(fc.record({ mint: fc.constantFrom('a', 'b', USDC), by: positive }), { maxLength: 6 }), (sol, tokens) => bought({ sol, tokens }).length === 0),
    );
  });

  it('what was bought is more than nothing of a token that is no money, each named once', () => {
    fc.assert(
      fc.property(anything, (parts) => {
        const buys = findBuys(transaction(parts), OWNER);
        return buys.every(({ mint, amount: of }) => of > 0n && ['a', 'b', 'c'].includes(mint)) && new Set(buys.map(({ mint }) => mint)).size === buys.length;
      }),
    );
  });

  it('any SOL for any amount is a buy of it, however it is wrapped on the way', () => {
    const some = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(some, some, fc.bigInt({ min: 0n, max: 10n ** 12n }), (paid, got, wrapped) => {
        const tokens = [{ mint: 'a', by: got }, { mint: WRAPPED_SOL_MINT, by: wrapped, lamports: wrapped }];
        expect(bought({ sol: -paid - wrapped, tokens })).toEqual([['a', got]]);
      }),
    );
  });
});
