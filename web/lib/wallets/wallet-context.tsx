import { createContext, useEffect, useState, type ReactNode } from 'react';
import type { WalletStore } from './wallet-store.ts';

/** The page's wallet store, which the first `useWallet` creates and starts. */
export interface WalletHolder {
  store: WalletStore | null;
  /** Null while the store isn't running. */
  stop: (() => void) | null;
}

export const WalletContext = createContext<WalletHolder | null>(null);

interface WalletProviderProps {
  children: ReactNode;
  /** The wallet store, for tests. */
  store?: WalletStore;
}

/** Provides the wallet for `useWallet`. */
export function WalletProvider({ children, store }: WalletProviderProps) {
  const [holder] = useState<WalletHolder>(() => ({ store: store ?? null, stop: null }));
  useEffect(
    () => () => {
      holder.stop?.();
      holder.stop = null;
    },
    [holder],
  );
  return <WalletContext value={holder}>{children}</WalletContext>;
}
