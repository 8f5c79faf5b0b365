import { getWallets } from '@wallet-standard/app';
import { use, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { WalletChallenge } from '#schema/contracts/wallets.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import type { SignedText } from './wallet-adapter.ts';
import {
  createCannotSignTextError,
  createOtherAccountError,
  isUnsupported,
  WalletError,
} from './wallet-errors.ts';
import { WalletContext } from './wallet-context.tsx';
import { registerMobileWallet } from './register-mobile-wallet.ts';
import { createWalletStore, type WalletStore } from './wallet-store.ts';

export type WalletApi = ReturnType<typeof useWallet>;

function openPageStore(): WalletStore {
  const standard = getWallets();
  // Ignore a failed import: without the phone's wallets, the list still has the links to their apps.
  registerMobileWallet(standard).catch(() => undefined);
  const store = createWalletStore({ page: window, standard, storage: pageStorage });
  // Refresh the list at the load event, because some wallets inject their objects only then.
  window.addEventListener('load', store.refresh);
  return store;
}

/** The wallet's state and actions. @throws outside a WalletProvider */
export function useWallet() {
  const holder = use(WalletContext);
  if (holder === null) throw new Error('useWallet needs a WalletProvider above it.');
  const store = (holder.store ??= openPageStore());
  useEffect(() => store.start(), [store]);
  const state = useSyncExternalStore(store.subscribe, store.getState);
  return useMemo(() => {
    const connected = state.choices.find(({ id }) => id === state.walletId);
    const identity = {
      walletName: connected?.name,
      walletIcon: connected?.icon ?? null,
      sendsItself: connected?.adapter?.signAndSendTransaction !== undefined,
    };
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

    signAndSendTransaction: async (transaction: Uint8Array) => {
      const { name, signAndSendTransaction } = connectedAdapter();
      if (!signAndSendTransaction) throw new WalletError(`${name} isn't the wallet that was asked to pay.`);
      return signAndSendTransaction(transaction);
    },

    /** Proves the address with Sign In With Solana if the wallet supports it, else signs the text. */
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

/** Returns a function that connects a wallet. It returns the address, or `null` after showing an error. */
export function useConnectWallet(): (walletId: string) => Promise<string | null> {
  const { connect } = useWallet();
  return async (walletId) => {
    try {
      return await connect(walletId);
    } catch (error) {
      const description = error instanceof WalletError ? error.message : undefined;
      toast({ title: 'Connection failed', description, variant: 'destructive' });
      return null;
    }
  };
}
