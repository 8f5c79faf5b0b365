import { getWallets } from '@wallet-standard/app';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { SignedText, SignInRequest, WalletAdapter } from './wallet-adapter.ts';
import { createCannotSignTextError, createOtherAccountError, isUnsupported } from './wallet-errors.ts';
import { createWalletStore, type WalletState, type WalletStore } from './wallet-store.ts';

const WalletContext = createContext<WalletStore | null>(null);

export interface WalletApi extends WalletState {
  readonly connect: WalletStore['connect'];
  readonly disconnect: WalletStore['disconnect'];
  readonly refresh: WalletStore['refresh'];
  readonly signTransaction: WalletAdapter['signTransaction'];
  /**
   * Signs a challenge that proves the address: with Sign In With Solana if supported, else as plain text.
   */
  readonly signText: (challenge: {
    readonly message: string;
    readonly input: SignInRequest;
  }) => Promise<SignedText>;
}

/**
 * Provides the wallet for `useWallet`.
 * @param store for tests; by default, the page creates one
 */
export function WalletProvider({
  children,
  store: given,
}: {
  readonly children: ReactNode;
  readonly store?: WalletStore;
}) {
  const [store] = useState(() => given ?? createPageStore());
  useEffect(() => {
    const stop = store.start();
    // Some wallets inject their objects as late as the load event.
    window.addEventListener('load', store.refresh);
    return () => {
      stop();
      window.removeEventListener('load', store.refresh);
    };
  }, [store]);
  return <WalletContext value={store}>{children}</WalletContext>;
}

/** The wallet's state and actions. @throws outside a WalletProvider */
export function useWallet(): WalletApi {
  const store = useContext(WalletContext);
  if (store === null) throw new Error('useWallet needs a WalletProvider above it.');
  const state = useSyncExternalStore(store.subscribe, store.getState);
  return useMemo(() => ({ ...state, ...createActions(store) }), [state, store]);
}

function createActions(store: WalletStore) {
  return {
    connect: store.connect,
    disconnect: store.disconnect,
    refresh: store.refresh,
    signTransaction: async (transaction: Uint8Array) => store.connectedAdapter().signTransaction(transaction),
    async signText({ message, input }: { readonly message: string; readonly input: SignInRequest }) {
      const { name, signIn, signMessage } = store.connectedAdapter();
      if (store.getState().address !== input.address) throw createOtherAccountError(name);
      const methods = [
        signIn && (() => signIn(input)),
        signMessage && (() => signMessage(new TextEncoder().encode(message))),
      ];
      for (const sign of methods) {
        try {
          if (sign) return await sign();
        } catch (error) {
          if (!isUnsupported(error)) throw error;
        }
      }
      throw createCannotSignTextError(name);
    },
  };
}

function createPageStore(): WalletStore {
  return createWalletStore({ page: window, standard: getWallets(), storage: pageStorage() });
}

/** Reading `localStorage` itself can throw. */
function pageStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  }
}
