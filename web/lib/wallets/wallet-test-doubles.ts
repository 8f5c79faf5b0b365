import { Transaction, type Keypair } from '@solana/web3.js';
import type { Wallet, WalletAccount } from '@wallet-standard/base';

export const ADDRESS_A = '7Y4f3Taf6LPyZsQpKW3bE7C2rbVNpFPSgE8XH4Lw2cYq';
export const ADDRESS_B = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu';

/** The sign-in message that the server requests from a wallet with `ADDRESS_B`. */
export const signInRequest = {
  domain: 'd',
  address: ADDRESS_B,
  statement: 's',
  uri: 'u',
  version: '1',
  nonce: 'n',
  issuedAt: 'i',
  expirationTime: 'e',
};

/** Creates a public key as wallets return it: an object with a `toString` that returns the address. */
export function keyOf(address: string) {
  return { toString: () => address };
}

/** Creates an injected provider. `emit` sends an event to its listeners. */
export function fakeProvider(flags: Record<string, boolean>, overrides: Record<string, unknown> = {}) {
  const listeners = new Map<string, (key?: unknown) => void>();
  const calls: { connect: unknown[] } = { connect: [] };
  return {
    calls,
    emit: (event: string, key?: unknown) => listeners.get(event)?.(key),
    listenerCount: () => listeners.size,
    ...flags,
    publicKey: keyOf(ADDRESS_A),
    connect: async (options?: unknown) => {
      calls.connect.push(options);
      return { publicKey: keyOf(ADDRESS_A) };
    },
    disconnect: async () => {},
    signTransaction: async (transaction: unknown) => transaction,
    signMessage: async () => ({ signature: new Uint8Array(64).fill(7) }),
    on: (event: string, listener: (key?: unknown) => void) => listeners.set(event, listener),
    off: (event: string) => listeners.delete(event),
    ...overrides,
  };
}

export function fakeAccount(
  address: string,
  chains: readonly `${string}:${string}`[] = ['solana:mainnet'],
): WalletAccount {
  return {
    address,
    publicKey: new Uint8Array(32),
    chains,
    features: ['solana:signTransaction', 'solana:signMessage'],
  };
}

type ChangeListener = (changed: { accounts?: readonly WalletAccount[] }) => void;

/** Creates a Wallet Standard wallet that records its calls. */
export function fakeStandardWallet({
  name,
  accounts = [fakeAccount(ADDRESS_B)],
  features = {},
  chains = ['solana:mainnet'],
}: {
  readonly name: string;
  readonly accounts?: readonly WalletAccount[];
  readonly features?: Record<`${string}:${string}`, unknown>;
  readonly chains?: readonly `${string}:${string}`[];
}) {
  const requests: Record<'connect' | 'signTransaction', unknown[]> = { connect: [], signTransaction: [] };
  const listeners = new Set<ChangeListener>();
  const wallet: Wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains,
    accounts: [],
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async (input?: unknown) => {
          requests.connect.push(input);
          return { accounts };
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: ChangeListener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async (input: { transaction: Uint8Array }) => {
          requests.signTransaction.push(input);
          return [{ signedTransaction: Uint8Array.of(...input.transaction, 99) }];
        },
      },
      ...features,
    },
  };
  return {
    wallet,
    requests,
    emit: (changed: Parameters<ChangeListener>[0]) => listeners.forEach((listener) => listener(changed)),
  };
}

export function fakeRegistry(...initial: readonly Wallet[]) {
  let wallets = [...initial];
  const listeners = { register: new Set<() => void>(), unregister: new Set<() => void>() };
  return {
    get: () => wallets,
    on: (event: 'register' | 'unregister', listener: () => void) => {
      listeners[event].add(listener);
      return () => {
        listeners[event].delete(listener);
      };
    },
    add(wallet: Wallet) {
      wallets = [...wallets, wallet];
      listeners.register.forEach((listener) => listener());
    },
    remove(wallet: Wallet) {
      wallets = wallets.filter((other) => other !== wallet);
      listeners.unregister.forEach((listener) => listener());
    },
  };
}

/** A wallet that creates real signatures with this key pair, each after `sign` has resolved. */
export function fakeSigningWallet(keypair: Keypair, sign?: () => Promise<unknown>): Wallet {
  return fakeStandardWallet({
    name: 'Local Wallet',
    accounts: [fakeAccount(keypair.publicKey.toBase58(), ['solana:localnet'])],
    features: {
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          await sign?.();
          const signed = Transaction.from(transaction);
          signed.partialSign(keypair);
          return [{ signedTransaction: new Uint8Array(signed.serialize()) }];
        },
      },
    },
  }).wallet;
}
