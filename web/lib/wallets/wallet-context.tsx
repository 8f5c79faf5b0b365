import { createContext, useEffect, useState, type ReactNode } from 'react';
import type { WalletStore } from './wallet-store.ts';

export interface WalletHolder {
  store: WalletStore | null;
  stop: (() => void) | null;
}

export const WalletContext = createContext<WalletHolder | null>(null);

interface WalletProviderProps {
  children: ReactNode;
  store?: WalletStore;
}

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
