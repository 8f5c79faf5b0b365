/** A wallet's balance of a token. `rawAmount` is a whole number in the token's smallest units. */
interface HeldToken {
  readonly tokenMint: string;
  readonly rawAmount: string;
}

interface HeldByWallet<Token extends HeldToken> {
  readonly lamports: string;
  readonly tokens: readonly Token[];
}

/** Sums lamports and tokens over several wallets. Each token is listed once, in order of appearance. */
export function sumBalances<Token extends HeldToken>(
  wallets: readonly HeldByWallet<Token>[],
): { readonly lamports: bigint; readonly tokens: readonly (Token & { readonly sum: bigint })[] } {
  const tokens = new Map<string, Token & { sum: bigint }>();
  for (const token of wallets.flatMap((wallet) => wallet.tokens)) {
    tokens.set(token.tokenMint, {
      ...token,
      sum: (tokens.get(token.tokenMint)?.sum ?? 0n) + BigInt(token.rawAmount),
    });
  }
  return {
    lamports: wallets.reduce((total, wallet) => total + BigInt(wallet.lamports), 0n),
    tokens: [...tokens.values()],
  };
}
