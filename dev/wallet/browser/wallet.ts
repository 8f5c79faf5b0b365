import {
  SolanaSignAndSendTransaction,
  SolanaSignIn,
  SolanaSignMessage,
  SolanaSignTransaction,
  type SolanaSignAndSendTransactionFeature,
  type SolanaSignInFeature,
  type SolanaSignInInput,
  type SolanaSignInOutput,
  type SolanaSignMessageFeature,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import { createSignInMessage } from '@solana/wallet-standard-util';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  StandardDisconnect,
  StandardEvents,
  type StandardConnectFeature,
  type StandardDisconnectFeature,
  type StandardEventsFeature,
  type StandardEventsListeners,
} from '@wallet-standard/features';
import bs58 from 'bs58';
import { walletIcon } from './icon.ts';
import { createKeyPair, restoreKeyPair, type KeyPair } from './key-pair.ts';
import { signTransaction, summarise, type TransactionSummary } from './transaction.ts';

export type ApprovalRequest =
  | { kind: 'transaction'; summary: TransactionSummary }
  | { kind: 'message'; text: string }
  | { kind: 'sign-in'; text: string; isForeignDomain: boolean };

export interface WalletStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface LocalWalletOptions {
  storage: WalletStorage;
  /** The page's host, which a sign-in message names. */
  host: string;
  approve(request: ApprovalRequest): Promise<boolean>;
  /** Sends a signed transaction to the local network. Returns its signature in base58. */
  send(transaction: Uint8Array): Promise<string>;
}

export interface LocalWallet {
  wallet: Wallet & { readonly features: LocalWalletFeatures };
  address(): string;
  /** Deletes the key and creates another. */
  replaceKey(): Promise<void>;
}

/** If the value at this storage key is `'1'`, every request is approved without asking. */
const AUTO_APPROVE_KEY = 'local-wallet:auto-approve';
/**
 * If the value at this storage key is `'1'`, the wallet behaves like one on a phone: it can't sign a transaction
 * without sending it. With `'silent'`, it also loses the connection after it has sent. With `'confused'`, it returns
 * another transaction's signature.
 */
const PHONE_KEY = 'local-wallet:phone';
const KEY_PAIR_KEY = 'local-wallet:key-pair';
const CONNECTED_KEY = 'local-wallet:connected';
const USER_REJECTED = 4001;

// Claims to support mainnet, because a production build accepts only such wallets. But it always uses the
// local network.
const chains = ['solana:localnet', 'solana:mainnet'] as const;
const BROWSER_FEATURES = [SolanaSignTransaction, SolanaSignMessage, SolanaSignIn] as const;
const PHONE_FEATURES = [SolanaSignAndSendTransaction, SolanaSignMessage, SolanaSignIn] as const;

export type LocalWalletFeatures = ConnectionFeatures & SigningFeatures;

/** Creates the Local Wallet: a Wallet Standard wallet whose key is in the page's storage. */
export async function createLocalWallet({
  storage,
  host,
  approve,
  send,
}: LocalWalletOptions): Promise<LocalWallet> {
  let keyPair = await loadKeyPair(storage);
  const phone = storage.getItem(PHONE_KEY);
  const accountFeatures = phone === null ? BROWSER_FEATURES : PHONE_FEATURES;
  const connection = createConnection({ storage, accountFeatures, keyPair: () => keyPair });

  async function requireApproval(request: ApprovalRequest): Promise<void> {
    if (storage.getItem(AUTO_APPROVE_KEY) === '1' || (await approve(request))) return;
    throw Object.assign(new Error('User rejected the request.'), { code: USER_REJECTED });
  }

  const features: LocalWalletFeatures = {
    ...connection.features,
    ...createSigning({ host, keyPair: () => keyPair, connection, requireApproval, send, phone }),
  };
  return {
    wallet: {
      version: '1.0.0',
      name: 'Local Wallet',
      icon: walletIcon,
      chains,
      features,
      get accounts() {
        return connection.accounts();
      },
    },
    address: () => keyPair.address,
    async replaceKey() {
      keyPair = await createKeyPair();
      storage.setItem(KEY_PAIR_KEY, keyPair.exported);
      connection.replaceAccount();
    },
  };
}

type ConnectionFeatures = StandardConnectFeature & StandardDisconnectFeature & StandardEventsFeature;

interface Connection {
  describe(keyPair: KeyPair): WalletAccount;
  accounts(): readonly WalletAccount[];
  connect(): void;
  /** Switches a connected page to the current key. */
  replaceAccount(): void;
  features: ConnectionFeatures;
}

interface ConnectionOptions {
  storage: WalletStorage;
  accountFeatures: WalletAccount['features'];
  keyPair: () => KeyPair;
}

function createConnection({ storage, accountFeatures, keyPair }: ConnectionOptions): Connection {
  let accounts: readonly WalletAccount[] = [];
  const listeners = new Set<StandardEventsListeners['change']>();

  const describe = ({ address, publicKey }: KeyPair): WalletAccount => ({
    address,
    publicKey,
    chains,
    features: accountFeatures,
    label: 'Local Wallet',
  });

  function setAccounts(next: readonly WalletAccount[]): void {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  }

  function connect(): void {
    if (accounts.length > 0) return;
    storage.setItem(CONNECTED_KEY, '1');
    setAccounts([describe(keyPair())]);
  }

  return {
    describe,
    accounts: () => accounts,
    connect,
    replaceAccount() {
      if (accounts.length > 0) setAccounts([describe(keyPair())]);
    },
    features: {
      [StandardConnect]: {
        version: '1.0.0',
        connect: async ({ silent = false } = {}) => {
          if (!silent || storage.getItem(CONNECTED_KEY) === '1') connect();
          return { accounts };
        },
      },
      [StandardDisconnect]: {
        version: '1.0.0',
        disconnect: async () => {
          storage.removeItem(CONNECTED_KEY);
          if (accounts.length > 0) setAccounts([]);
        },
      },
      [StandardEvents]: {
        version: '1.0.0',
        on: (_event, listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
    },
  };
}

interface SigningOptions extends Pick<LocalWalletOptions, 'send'> {
  /** The value at {@link PHONE_KEY}. */
  phone: string | null;
  host: string;
  keyPair: () => KeyPair;
  connection: Connection;
  /** @throws when the user rejects the request */
  requireApproval(request: ApprovalRequest): Promise<void>;
}

type SignInput = { account: WalletAccount; transaction: Uint8Array };
type SigningFeatures = Partial<SolanaSignTransactionFeature & SolanaSignAndSendTransactionFeature> &
  SolanaSignMessageFeature &
  SolanaSignInFeature;

function createSigning({
  host,
  keyPair,
  connection,
  requireApproval,
  send,
  phone,
}: SigningOptions): SigningFeatures {
  /** Refuses an account that was replaced by pressing "New key". */
  function requireAccount(account: WalletAccount): void {
    if (!connection.accounts().some(({ address }) => address === account.address)) {
      throw new Error('This account is not connected.');
    }
  }

  async function signIn(input: SolanaSignInInput): Promise<SolanaSignInOutput> {
    const { address } = keyPair();
    const domain = input.domain ?? host;
    const signedMessage = createSignInMessage({ ...input, domain, address: input.address ?? address });
    if (input.address !== undefined && input.address !== address) {
      throw new Error('The Local Wallet does not hold this address.');
    }
    const text = decodeText(signedMessage);
    await requireApproval({ kind: 'sign-in', text, isForeignDomain: domain !== host });
    connection.connect();
    const signature = await keyPair().sign(signedMessage);
    return { account: connection.describe(keyPair()), signedMessage, signature, signatureType: 'ed25519' };
  }

  async function sign({ account, transaction }: SignInput): Promise<Uint8Array> {
    requireAccount(account);
    const { address } = keyPair();
    const summary = summarise({ transaction, address });
    await requireApproval({ kind: 'transaction', summary });
    return signTransaction({ transaction, keyPair: keyPair() });
  }

  const transactions: Partial<SigningFeatures> =
    phone === null
      ? {
          [SolanaSignTransaction]: {
            version: '1.0.0',
            supportedTransactionVersions: ['legacy', 0, 1],
            signTransaction: (...inputs) =>
              inOrder(inputs, async (input) => ({ signedTransaction: await sign(input) })),
          },
        }
      : {
          [SolanaSignAndSendTransaction]: {
            version: '1.0.0',
            supportedTransactionVersions: ['legacy', 0, 1],
            signAndSendTransaction: (...inputs) =>
              inOrder(inputs, async (input) => {
                const signature = bs58.decode(await send(await sign(input)));
                if (phone === 'silent') throw new Error('The wallet session dropped unexpectedly (1006: ).');
                return { signature: phone === 'confused' ? signature.toReversed() : signature };
              }),
          },
        };

  return {
    ...transactions,
    [SolanaSignMessage]: {
      version: '1.0.0',
      signMessage: (...inputs) =>
        inOrder(inputs, async ({ account, message }) => {
          requireAccount(account);
          await requireApproval({ kind: 'message', text: decodeText(message) });
          const signature = await keyPair().sign(message);
          return { signedMessage: message, signature, signatureType: 'ed25519' as const };
        }),
    },
    [SolanaSignIn]: {
      version: '1.0.0',
      signIn: (...inputs) => inOrder(inputs.length === 0 ? [{}] : inputs, signIn),
    },
  };
}

async function loadKeyPair(storage: WalletStorage): Promise<KeyPair> {
  const stored = storage.getItem(KEY_PAIR_KEY);
  if (stored !== null) {
    try {
      return await restoreKeyPair(stored);
    } catch {
      // The stored key is unreadable, so create another one.
    }
  }
  const fresh = await createKeyPair();
  storage.setItem(KEY_PAIR_KEY, fresh.exported);
  return fresh;
}

/** Maps the inputs one after the other, so that the user sees one dialog at a time. */
async function inOrder<Input, Output>(
  inputs: readonly Input[],
  act: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = [];
  for (const input of inputs) outputs.push(await act(input));
  return outputs;
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
