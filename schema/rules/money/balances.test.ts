import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sumBalances } from './balances.ts';

it('the summed balances without a wallet are zero', () => {
  expect(sumBalances([])).toEqual({ lamports: 0n, tokens: [] });
});

it('the summed balances of several wallets list each token once, in order of appearance', () => {
  const token = (tokenMint: string, rawAmount: string) => ({ tokenMint, rawAmount });
  const { lamports, tokens } = sumBalances([
    { lamports: '9007199254740993', tokens: [token('b', '1'), token('a', '18446744073709551615')] },
    { lamports: '7', tokens: [token('a', '1'), token('c', '5')] },
  ]);
  expect(lamports).toBe(9_007_199_254_741_000n);
  expect(tokens.map(({ tokenMint, sum }) => [tokenMint, sum])).toEqual([
    ['b', 1n],
    ['a', 18_446_744_073_709_551_616n],
    ['c', 5n],
  ]);
});

it('the summed balances equal the total of all wallets', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const wallet = fc.record({
    lamports: amount.map(String),
    tokens: fc.array(fc.record({ tokenMint: fc.constantFrom('a', 'b', 'c'), rawAmount: amount.map(String) })),
  });
  fc.assert(
    fc.property(fc.array(wallet), (wallets) => {
      const total = (amounts: readonly (string | bigint)[]) =>
        amounts.reduce<bigint>((sum, each) => sum + BigInt(each), 0n);
      const { lamports, tokens } = sumBalances(wallets);
      expect(lamports).toBe(total(wallets.map((each) => each.lamports)));
      expect(total(tokens.map(({ sum }) => sum))).toBe(
        total(wallets.flatMap((each) => each.tokens.map(({ rawAmount }) => rawAmount))),
      );
      expect(new Set(tokens.map(({ tokenMint }) => tokenMint)).size).toBe(tokens.length);
    }),
  );
});
