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
import type { WalletChallenge } from '#schema/contracts/wallets.ts';
import { pageStorage } from '#web/lib/page-storage.ts';
import type { SignedText } from './wallet-adapter.ts';
import { createCannotSignTextError, createOtherAccountError, isUnsupported } from './wallet-errors.ts';
import { createWalletStore, type WalletStore } from './wallet-store.ts';

const WalletContext = createContext<WalletStore | null>(null);

export type WalletApi = ReturnType<typeof useWallet>;

interface WalletProviderProps {
  children: ReactNode;
  /** Tests pass a store. By default, the page creates one. */
  store?: WalletStore;
}

/** Provides the wallet for `useWallet`. */
export function WalletProvider({ children, store: testStore }: WalletProviderProps) {
  const [store] = useState(
    () => testStore ?? createWalletStore({ page: window, standard: getWallets(), storage: pageStorage }),
  );
  useEffect(() => {
    const stop = store.start();
    // List the wallets again at the load event, because some wallets inject their objects only then.
    window.addEventListener('load', store.refresh);
    return () => {
      stop();
      window.removeEventListener('load', store.refresh);
    };
  }, [store]);
  return <WalletContext value={store}>{children}</WalletContext>;
}

/** The wallet's state and actions. @throws outside a WalletProvider */
export function useWallet() {
  const store = useContext(WalletContext);
  if (store === null) throw new Error('useWallet needs a WalletProvider above it.');
  const state = useSyncExternalStore(store.subscribe, store.getState);
  return useMemo(() => {
    const connected = state.choices.find(({ id }) => id === state.walletId);
    const identity = { walletName: connected?.name, walletIcon: connected?.icon ?? null };
    return { ...state, ...identity, ...createActions(store) };
  }, [state, store]);
}

function createActions(store: WalletStore) {
  const { connect, disconnect, refresh, connectedAdapter, getState } = store;
  return {
    connect,
    disconnect,
    refresh,
    signTransaction: async (transaction: Uint8Array) => connectedAdapter().signTransaction(transaction),

    /**
     * Proves the address by signing a challenge. Uses Sign In With Solana if the wallet supports it, else
     * signs the text.
     */
    async signText({ message, input }: WalletChallenge): Promise<SignedText> {
      const { name, signIn, signMessage } = connectedAdapter();
      if (getState().address !== input.address) throw createOtherAccountError(name);
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
