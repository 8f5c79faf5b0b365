import { TOKEN_2022_PROGRAM } from './programs.ts';
import type { Chain } from './chain.ts';
import { readChoice, type Config } from './rpc-params.ts';
import type { Commitment } from './slot-clock.ts';
import { readMint, readTokenAccount, toUiTokenAmount } from './token-account.ts';
import type { AccountState } from './vm.ts';

export type AccountEncoding = 'base64' | 'jsonParsed';

export interface AccountView {
  encoding: AccountEncoding;
  accountAt: (address: string) => AccountState | undefined;
}

const ENCODINGS: readonly AccountEncoding[] = ['base64', 'jsonParsed'];

export function readAccountView(chain: Chain, config: Config, commitment: Commitment): AccountView {
  return {
    encoding: readChoice(config['encoding'], ENCODINGS, 'base64'),
    accountAt: (address) => chain.account(address, commitment),
  };
}

function parseTokenInfo(
  account: AccountState,
  view: AccountView,
): { type: string; info: unknown } | undefined {
  const token = readTokenAccount(account);
  if (token !== undefined) {
    const decimals = readMint(view.accountAt(token.mint))?.decimals;
    if (decimals === undefined) return undefined;
    const info = {
      ...(token.closeAuthority === undefined ? {} : { closeAuthority: token.closeAuthority }),
      ...(token.delegate === undefined
        ? {}
        : { delegate: token.delegate, delegatedAmount: toUiTokenAmount(token.delegatedAmount, decimals) }),
      isNative: token.nativeReserve !== undefined,
      mint: token.mint,
      owner: token.owner,
      ...(token.nativeReserve === undefined
        ? {}
        : { rentExemptReserve: toUiTokenAmount(token.nativeReserve, decimals) }),
      state: token.state,
      tokenAmount: toUiTokenAmount(token.amount, decimals),
    };
    return { type: 'account', info };
  }
  const mint = readMint(account);
  if (mint === undefined) return undefined;
  const { decimals, isInitialized } = mint;
  const info = {
    decimals,
    freezeAuthority: mint.freezeAuthority ?? null,
    isInitialized,
    mintAuthority: mint.mintAuthority ?? null,
    supply: mint.supply.toString(),
  };
  return { type: 'mint', info };
}

function encodeData(account: AccountState, view: AccountView): unknown {
  const parsed = view.encoding === 'jsonParsed' ? parseTokenInfo(account, view) : undefined;
  if (parsed === undefined) return [Buffer.from(account.data).toString('base64'), 'base64'];
  const program = account.owner === TOKEN_2022_PROGRAM ? 'spl-token-2022' : 'spl-token';
  return { parsed, program, space: account.data.length };
}

/** The account as `getMultipleAccounts` returns it; null when it doesn't exist. */
export function encodeAccount(account: AccountState | undefined, view: AccountView): unknown {
  if (account === undefined) return null;
  return {
    data: encodeData(account, view),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: account.rentEpoch,
    space: account.data.length,
  };
}
