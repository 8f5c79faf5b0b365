import type { Keypair } from '@solana/web3.js';
import type { CreateCallBody, TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import type { WalkState } from '../../modules/money/payments/walk-state.ts';
import { FIRST_POSITION, type ListedPosition } from '../../ports/chain.ts';
import { query } from '../database/database.ts';
import { readResponse } from '../responses.ts';
import { createFundedWallet, rpc, signMessage } from '../payments/chain.ts';
import { control, testEnv, type Person, type TestApp } from '../test-app.ts';

export const MINTS = {
  BONK: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  FAKE_BONK: 'StandinFakeBonkXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  WIF: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  JUP: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN',
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  /** A token with too little liquidity for ranked calls. */
  THIN: 'StandinThinXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  NO_PRICE: 'StandinNoPriceXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
} as const;

/** Signs a user in and makes them a caller with a fee in SOL, Free by default. */
export async function createCaller(app: TestApp, handle: string, fee = ''): Promise<Person> {
  const person = await app.signIn(handle);
  await readResponse<CurrentUser>(person.post('/api/user/become-caller', { subscriptionPrice: fee }), 201);
  return person;
}

/** Creates a Paid caller with a verified payout wallet. */
export async function createPaidCaller(
  app: TestApp,
  { handle = 'paid_caller', fee = '0.5', payout }: { handle?: string; fee?: string; payout?: Keypair } = {},
): Promise<{ caller: Person; payout: Keypair }> {
  const caller = await createCaller(app, handle, fee);
  const wallet = payout ?? (await createFundedWallet(1));
  await proveWallet(caller, wallet);
  await startPlatformWalk();
  return { caller, payout: wallet };
}

/** Lets the walk begin at the platform wallet's newest transaction, without listing what earlier tests have paid. */
async function startPlatformWalk(): Promise<void> {
  const address = testEnv.PLATFORM_WALLET;
  const options = { limit: 1, commitment: 'finalized' };
  const [newest = FIRST_POSITION] = await rpc<ListedPosition[]>('getSignaturesForAddress', address, options);
  const { signature, slot } = newest;
  const state: WalkState = { address, positions: [{ signature, slot }], listing: null, lostSince: null };
  await query(
    "INSERT INTO job_leases (job, cursor) VALUES ('payments.walk', ?) ON CONFLICT DO NOTHING",
    JSON.stringify(state),
  );
}

/** Verifies a wallet as the browser does: requests a challenge, signs it, saves the wallet. */
export async function proveWallet(person: Person, wallet: Keypair): Promise<SavedWallet> {
  const walletAddress = wallet.publicKey.toBase58();
  const { message } = await readResponse<WalletChallenge>(
    person.post('/api/user/wallets/challenge', { walletAddress }),
    201,
  );
  return readResponse<SavedWallet>(
    person.post('/api/user/wallets', { walletAddress, signature: await signMessage(wallet, message) }),
    201,
  );
}

/** The optional fields of a call. */
export type CallTexts = Pick<CreateCallBody, 'thesis' | 'targetPrice' | 'stopPrice' | 'isPaidPromotion'>;

/** The body of `POST /api/token-calls`. */
export function callBody({
  caller,
  mint,
  entryPrice,
  symbol = 'TKN',
  ...texts
}: { caller: Person; mint: string; entryPrice: string; symbol?: string } & CallTexts) {
  return {
    tokenSymbol: symbol,
    tokenName: `${symbol} token`,
    tokenMint: mint,
    entryPrice,
    callerId: caller.id,
    logoURI: null,
    ...texts,
  };
}

/** Sets the market price and publishes a call. */
export async function makeCall({
  caller,
  mint,
  price,
  ...texts
}: { caller: Person; mint: string; price: number } & CallTexts): Promise<TokenCall> {
  await control('POST', '/prices', { mint, price });
  const body = callBody({ caller, mint, entryPrice: String(price), symbol: mint.slice(0, 5), ...texts });
  return readResponse<TokenCall>(caller.post('/api/token-calls', body), 201);
}

interface CallToEnd {
  readonly caller: Person;
  readonly call: TokenCall;
  readonly price: number;
}

/** Sets the market price and ends a call. */
export async function endCall({ caller, call, price }: CallToEnd): Promise<TokenCall> {
  await control('POST', '/prices', { mint: call.tokenMint, price });
  return readResponse<TokenCall>(caller.patch(`/api/token-calls/${call.id}/end`));
}

interface CallAtOnce {
  readonly caller: Person;
  readonly mint?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Publishes a call and ends it at once, by default at +100%. */
export async function makeEndedCall({ caller, mint = MINTS.WIF, from = 1, to = 2 }: CallAtOnce) {
  return endCall({ caller, call: await makeCall({ caller, mint, price: from }), price: to });
}

interface TextsOfCall {
  readonly caller: Person;
  readonly thesis?: string;
  readonly message?: string;
}

/** Publishes a call on WIF with a thesis and an update. */
export async function makeCallWithTexts({ caller, thesis = 'A thesis', message = 'An update' }: TextsOfCall) {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis });
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message }));
  const [update] = await query<{ id: string }>('SELECT id FROM call_updates WHERE call_id = ?', call.id);
  return { call, updateId: update?.id ?? '' };
}

/** Keeps the callers of a test about something else from being silent: to the rule, they are new callers. */
export const keepCallersActive = () => query('UPDATE callers SET created_at = ?', Number.MAX_SAFE_INTEGER);
