import type { MobileWallet, transact } from '@solana-mobile/mobile-wallet-adapter-protocol';
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base';
import bs58 from 'bs58';
import { toBase64 } from '#web/lib/browser/base64.ts';
import { attempt, type PageStorage } from '#web/lib/browser/page-storage.ts';
import { createNotConnectedError, readWalletError, WalletError } from './wallet-errors.ts';

export interface MobileWalletOptions {
  readonly transact: typeof transact;
  readonly storage: PageStorage;
  readonly origin: string;
  readonly icon: WalletIcon;
  /** @throws WalletError if the browser doesn't let the page connect to apps on this device */
  readonly assertReachable: () => Promise<void>;
}

interface Authorization {
  readonly address: string;
  readonly token: string;
  readonly baseUri?: string;
}

type Act<Result> = (wallet: MobileWallet, authorization: Authorization) => Promise<Result>;
type Listener = (changed: { readonly accounts: readonly WalletAccount[] }) => void;

export const phoneIcon: WalletIcon = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d3a7a"/>' +
    '<rect x="10" y="5" width="12" height="22" rx="3" fill="none" stroke="#fff" stroke-width="2.5"/>' +
    '<path d="M15 23h2" stroke="#a9c1ff" stroke-width="2.5" stroke-linecap="round"/></svg>',
)}`;

export const AUTHORIZATION_KEY = 'solcallers.mobile-wallet';
const CHAIN = 'solana:mainnet';
const FEATURES = ['solana:signAndSendTransaction', 'solana:signMessage'] as const;
const SIGNATURE_BYTES = 64;
/** The Mobile Wallet Adapter's codes for a site that may not connect, and for a request that the user declined. */
const ERROR_AUTHORIZATION_FAILED = -1;
const ERROR_NOT_SIGNED = -3;
const DECLINED = 4001;

/**
 * Represents the wallets on an Android phone as one Wallet Standard wallet. It signs and sends, because
 * version 2.0 of the Mobile Wallet Adapter requires no wallet to sign alone. Every request opens the wallet's
 * app.
 */
export function createMobileWallet(options: MobileWalletOptions): Wallet {
  const listeners = new Set<Listener>();
  let known: Authorization | null = null;

  const accounts = () => (known === null ? [] : [describeAccount(known)]);
  const finish = (next: Authorization | null) => {
    const hasChanged = next?.address !== known?.address;
    known = next;
    options.storage.setItem(AUTHORIZATION_KEY, next && JSON.stringify(next));
    if (hasChanged) for (const listener of listeners) listener({ accounts: accounts() });
  };

  const forget = () => finish(null);

  /** Runs `act` for the account. Rejects with a WalletError if the request hasn't reached the wallet. */
  async function run<Result>(account: WalletAccount, act: Act<Result>): Promise<Result> {
    if (known === null || known.address !== account.address) throw createNotConnectedError();
    return openSession({ ...options, known, forget }, async (wallet, authorization) => {
      finish(authorization);
      if (authorization.address !== account.address) throw new WalletError(OTHER_ACCOUNT);
      return act(wallet, authorization);
    });
  }

  return {
    version: '1.0.0',
    name: 'Wallet on this phone',
    icon: options.icon,
    chains: [CHAIN],
    get accounts() {
      return accounts();
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async ({ silent = false } = {}) => {
          if (known === null) finish(readAuthorization(options.storage));
          if (known === null && !silent) {
            finish(await openSession({ ...options, known, forget }, async (_wallet, found) => found));
          }
          return { accounts: accounts() };
        },
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => forget() },
      'standard:events': {
        version: '1.0.0',
        on: (_event: 'change', listener: Listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: async ({ account, transaction }: Input<'transaction'>) => [
          { signature: await run(account, (wallet) => signAndSend(wallet, transaction)) },
        ],
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ account, message }: Input<'message'>) => [
          await run(account, (wallet) => signMessage(wallet, account, message)),
        ],
      },
    },
  };
}

type Input<Name extends string> = { readonly account: WalletAccount } & Readonly<Record<Name, Uint8Array>>;

async function signAndSend(wallet: MobileWallet, transaction: Uint8Array): Promise<Uint8Array> {
  const { signatures } = await wallet
    .signAndSendTransactions({ payloads: [toBase64(transaction)] })
    .catch(rethrowDeclined);
  return fromBase64(signatures[0] ?? '');
}

async function signMessage(wallet: MobileWallet, account: WalletAccount, message: Uint8Array) {
  const { signed_payloads: payloads } = await wallet
    .signMessages({
      addresses: [toBase64(new Uint8Array(account.publicKey))],
      payloads: [toBase64(message)],
    })
    .catch(rethrowDeclined);
  // The wallet appends its signature to the message.
  const signed = fromBase64(payloads[0] ?? '');
  const signature = signed.slice(-SIGNATURE_BYTES);
  const prefix = signed.slice(0, -SIGNATURE_BYTES);
  return { signedMessage: prefix.length === 0 ? message : prefix, signature };
}

interface Session extends MobileWalletOptions {
  readonly known: Authorization | null;
  readonly forget: () => void;
}

/** If the app has revoked the known permission, asks for another one in the same session. */
async function openSession<Result>(
  { transact, origin, assertReachable, known, forget }: Session,
  act: Act<Result>,
): Promise<Result> {
  await assertReachable();
  let [hasStarted, isRevoked] = [false, false];
  try {
    return await transact(
      async (wallet) => {
        const identity = { name: 'SolCallers', uri: origin, icon: 'favicon.svg' };
        const site = { identity, chain: CHAIN } as const;
        const response = await wallet
          .authorize({ ...site, ...(known && { auth_token: known.token }) })
          .catch((error: unknown) => {
            if (known === null || readWalletError(error).code !== ERROR_AUTHORIZATION_FAILED) throw error;
            isRevoked = true;
            return wallet.authorize(site);
          });
        const [account] = response.accounts;
        if (account === undefined) throw new WalletError(NO_ACCOUNT);
        const authorization: Authorization = {
          address: bs58.encode(fromBase64(account.address)),
          token: response.auth_token,
          ...(response.wallet_uri_base && { baseUri: response.wallet_uri_base }),
        };
        hasStarted = true;
        return act(wallet, authorization);
      },
      known?.baseUri === undefined ? undefined : { baseUri: known.baseUri },
    );
  } catch (error) {
    if (!hasStarted && isRevoked) forget();
    if (hasStarted || error instanceof WalletError) throw error;
    throw new WalletError(reasonOf(error), { cause: error });
  }
}

const NO_ACCOUNT = 'Your wallet has no account. Create one in its app, then try again.';
const OTHER_ACCOUNT = 'Your wallet switched to another account. Choose it again.';
const NO_APP = "We couldn't find a wallet app on this phone. Open this page in your wallet's app instead.";
const NOT_ALLOWED =
  "Your wallet's app didn't let this site connect. Choose the wallet again, and allow it in the app.";
const NO_RESPONSE = "Your wallet's app didn't respond. Open it, unlock it, then try again.";

function reasonOf(error: unknown): string {
  const { code } = readWalletError(error);
  if (code === ERROR_AUTHORIZATION_FAILED) return NOT_ALLOWED;
  return code === 'ERROR_WALLET_NOT_FOUND' ? NO_APP : NO_RESPONSE;
}

function rethrowDeclined(error: unknown): never {
  if (readWalletError(error).code !== ERROR_NOT_SIGNED) throw error;
  throw Object.assign(new Error('The user declined the request.', { cause: error }), { code: DECLINED });
}

function describeAccount({ address }: Authorization): WalletAccount {
  const chains: readonly IdentifierString[] = [CHAIN];
  return { address, publicKey: bs58.decode(address), chains, features: FEATURES };
}

function readAuthorization(storage: PageStorage): Authorization | null {
  const value = attempt(() => JSON.parse(storage.getItem(AUTHORIZATION_KEY) ?? 'null') as unknown) ?? {};
  const { address, token, baseUri } = value as Partial<Authorization>;
  if (typeof address !== 'string' || typeof token !== 'string') return null;
  return { address, token, ...(typeof baseUri === 'string' && { baseUri }) };
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
