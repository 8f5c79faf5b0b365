import type { Transaction, VersionedTransaction } from '@solana/web3.js';
import { member } from '../browser/member.ts';
import type { SignedText, WalletAdapter } from './wallet-adapter.ts';
import { createConnectFailedError } from './wallet-errors.ts';

interface PublicKeyLike {
  toString(): string;
}

export interface InjectedProvider {
  readonly publicKey?: PublicKeyLike | null;
  connect(options?: { onlyIfTrusted: boolean }): Promise<unknown>;
  disconnect?(): Promise<void>;
  signTransaction(
    transaction: Transaction | VersionedTransaction,
  ): Promise<Transaction | VersionedTransaction>;
  signMessage?(message: Uint8Array, display?: 'utf8'): Promise<unknown>;
  on?(event: 'accountChanged' | 'disconnect', listener: (publicKey?: PublicKeyLike | null) => void): unknown;
  off?(event: 'accountChanged' | 'disconnect', listener: (publicKey?: PublicKeyLike | null) => void): unknown;
}

export function createInjectedAdapter(
  identity: { readonly id: string; readonly name: string; readonly installUrl?: string },
  provider: InjectedProvider,
): WalletAdapter {
  const { signMessage } = provider;
  return {
    ...identity,
    icon: null,

    async connect({ silent }) {
      // Some wallets return the key. Others only set it on the provider.
      const response = await provider.connect(silent ? { onlyIfTrusted: true } : undefined);
      const address = readKey(response) ?? provider.publicKey?.toString();
      if (address === undefined) throw createConnectFailedError();
      return address;
    },

    async disconnect() {
      await provider.disconnect?.();
    },

    async signTransaction(bytes) {
      const signed = await provider.signTransaction(await readTransaction(bytes));
      return new Uint8Array(signed.serialize());
    },

    ...(signMessage && {
      async signMessage(message: Uint8Array): Promise<SignedText> {
        return {
          signedMessage: message,
          signature: readSignature(await signMessage.call(provider, message, 'utf8')),
        };
      },
    }),

    onAccountChange(listener) {
      const changed = (key?: PublicKeyLike | null) => listener(key?.toString() ?? null);
      const disconnected = () => listener(null);
      provider.on?.('accountChanged', changed);
      provider.on?.('disconnect', disconnected);
      return () => {
        provider.off?.('accountChanged', changed);
        provider.off?.('disconnect', disconnected);
      };
    },
  };
}

/** Injected wallets expect web3.js objects. web3.js is large, so it loads at the first signature. */
async function readTransaction(bytes: Uint8Array): Promise<Transaction | VersionedTransaction> {
  const { Transaction, VersionedTransaction } = await import('@solana/web3.js');
  const transaction = VersionedTransaction.deserialize(bytes);
  return transaction.version === 'legacy' ? Transaction.from(bytes) : transaction;
}

function readKey(response: unknown): string | undefined {
  const key = member(response, 'publicKey');
  return key === undefined || key === null ? undefined : String(key);
}

/** Reads a signature. Most wallets return `{ signature }`, and some return only the bytes. */
function readSignature(response: unknown): Uint8Array {
  const signature = response instanceof Uint8Array ? response : member(response, 'signature');
  if (!(signature instanceof Uint8Array)) throw new TypeError('The wallet returned no signature.');
  return signature;
}
