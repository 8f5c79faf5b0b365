import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { STABLE_COIN_MINTS } from '#schema/rules/calls/stable-coin-mints.ts';
import { TOKEN_PROGRAM } from '../chain/programs.ts';
import { encodeMint } from '../chain/token-account.ts';
import { EMPTY_ACCOUNT, type AccountState } from '../chain/vm.ts';
import { keypairFrom } from '../../seed/fixtures.ts';
import { tokens, UNLISTED_MINT } from './tokens.ts';

const MINT_RENT = 1_461_600n;
const STABLE_COIN_DECIMALS = 6;
const UNLISTED_DECIMALS = 9;

/** The key pair that may mint every local token. */
export const tokenIssuer = keypairFrom('token issuer');

/**
 * The mints of well-known tokens at their real addresses. Wrapped SOL is left out, because every chain
 * already has it.
 */
export function localMints(): ReadonlyMap<string, AccountState> {
  const decimals = new Map([
    ...STABLE_COIN_MINTS.map((mint) => [mint, STABLE_COIN_DECIMALS] as const),
    ...tokens.map((token) => [token.mint, token.decimals] as const),
    [UNLISTED_MINT, UNLISTED_DECIMALS],
  ]);
  decimals.delete(WRAPPED_SOL_MINT);
  return new Map(
    [...decimals].map(([mint, places]) => [
      mint,
      {
        ...EMPTY_ACCOUNT,
        owner: TOKEN_PROGRAM,
        lamports: MINT_RENT,
        data: encodeMint(tokenIssuer.publicKey, places),
      },
    ]),
  );
}
