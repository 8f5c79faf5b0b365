import type { Chain } from './chain.ts';
import { encodeAccount, readAccountView, type AccountView } from './encode-account.ts';
import { isTokenProgram } from './programs.ts';
import { withContext } from './rpc-context.ts';
import { createInvalidParamsError, RpcError } from './rpc-error.ts';
import {
  readCommitment,
  readConfig,
  readList,
  readPubkey,
  readUnsigned,
  requireParams,
} from './rpc-params.ts';
import type { Params } from './rpc-params.ts';
import { readMint, readTokenAccount } from './token-account.ts';

const MAX_ACCOUNTS_PER_REQUEST = 100;
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;

export function getBalance(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const address = readPubkey(params[0]);
  const commitment = readCommitment(chain, readConfig(params[1]));
  return withContext(chain, commitment, chain.account(address, commitment)?.lamports ?? 0n);
}

export function getAccountInfo(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const address = readPubkey(params[0]);
  const config = readConfig(params[1]);
  const commitment = readCommitment(chain, config);
  const view = readAccountView(chain, config, commitment);
  return withContext(chain, commitment, encodeAccount(view.accountAt(address), view));
}

export function getMultipleAccounts(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const list = readList(params[0]);
  if (list.length > MAX_ACCOUNTS_PER_REQUEST) {
    throw createInvalidParamsError(`Too many inputs provided; max ${MAX_ACCOUNTS_PER_REQUEST}`);
  }
  const addresses = list.map(readPubkey);
  const config = readConfig(params[1]);
  const commitment = readCommitment(chain, config);
  const view = readAccountView(chain, { encoding: 'base64', ...config }, commitment);
  const accounts = addresses.map((address) => encodeAccount(view.accountAt(address), view));
  return withContext(chain, commitment, accounts);
}

function readTokenFilter(
  view: AccountView,
  value: unknown,
): { programs: string[]; mint: string | undefined } {
  const filter = readConfig(value);
  if (filter['mint'] !== undefined) {
    const mint = readPubkey(filter['mint']);
    const account = view.accountAt(mint);
    if (account === undefined || readMint(account) === undefined) {
      throw createInvalidParamsError('Invalid param: could not find mint');
    }
    return { programs: [account.owner], mint };
  }
  if (filter['programId'] === undefined) {
    throw createInvalidParamsError('Invalid params: unknown variant, expected one of `mint`, `programId`.');
  }
  const program = readPubkey(filter['programId']);
  if (!isTokenProgram(program)) {
    throw createInvalidParamsError('Invalid param: unrecognized Token program id');
  }
  return { programs: [program], mint: undefined };
}

export function getTokenAccountsByOwner(chain: Chain, params: Params): unknown {
  requireParams(params, 2);
  const owner = readPubkey(params[0]);
  const config = readConfig(params[2]);
  const commitment = readCommitment(chain, config);
  const view = readAccountView(chain, config, commitment);
  const { programs, mint } = readTokenFilter(view, params[1]);
  const found = programs.flatMap((program) =>
    [...chain.accountsOwnedBy(program, commitment)].flatMap(([pubkey, account]) => {
      const token = readTokenAccount(account);
      if (token?.owner !== owner || (mint !== undefined && token.mint !== mint)) return [];
      return [{ account: encodeAccount(account, view), pubkey }];
    }),
  );
  return withContext(chain, commitment, found);
}

export function getMinimumBalanceForRentExemption(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const dataLength = readUnsigned(params[0]);
  if (dataLength > MAX_ACCOUNT_BYTES) throw new RpcError(-32600, 'Invalid request');
  return chain.minimumBalance(dataLength);
}
