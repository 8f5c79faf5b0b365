import { zstdCompressSync } from 'node:zlib';
import bs58 from 'bs58';
import { TOKEN_2022_PROGRAM } from './programs.ts';
import type { Chain } from './chain.ts';
import { RpcError } from './rpc-error.ts';
import { readChoice, readConfig, readUnsigned, type Config } from './rpc-params.ts';
import type { Commitment } from './slot-clock.ts';
import { readMint, readTokenAccount, toUiTokenAmount } from './token-account.ts';
import type { AccountState } from './vm.ts';

export type AccountEncoding = 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed' | 'binary';

export interface AccountView {
  encoding: AccountEncoding;
  dataSlice?: { offset: number; length: number };
  accountAt: (address: string) => AccountState | undefined;
}

const ENCODINGS: readonly AccountEncoding[] = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'];
const MAX_BASE58_BYTES = 128;

export function readAccountView(chain: Chain, config: Config, commitment: Commitment): AccountView {
  const slice = config['dataSlice'];
  const { offset, length } = readConfig(slice);
  return {
    encoding: readChoice(config['encoding'], ENCODINGS, 'binary'),
    ...(slice === undefined || slice === null
      ? {}
      : { dataSlice: { offset: readUnsigned(offset), length: readUnsigned(length) } }),
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
  const { encoding, dataSlice } = view;
  if (encoding === 'jsonParsed') {
    const parsed = parseTokenInfo(account, view);
    if (parsed !== undefined) {
      const program = account.owner === TOKEN_2022_PROGRAM ? 'spl-token-2022' : 'spl-token';
      return { parsed, program, space: account.data.length };
    }
  }
  const data = dataSlice
    ? account.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length)
    : account.data;
  if (encoding === 'base64+zstd') return [zstdCompressSync(data).toString('base64'), encoding];
  if (encoding === 'base64' || encoding === 'jsonParsed') {
    return [Buffer.from(data).toString('base64'), 'base64'];
  }
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcError(
      -32600,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  // 'binary' is the default encoding. Its result is only the base58 string, without the encoding's name.
  return encoding === 'binary' ? bs58.encode(data) : [bs58.encode(data), encoding];
}

/** The account as `getAccountInfo` returns it; null when it doesn't exist. */
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
