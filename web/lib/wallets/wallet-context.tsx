import { createContext, useState, type ReactNode } from 'react';
import type { WalletStore } from './wallet-store.ts';

/** Its store is created for the first component that needs a wallet. */
export const WalletContext = createContext<{ store: WalletStore | null } | null>(null);

interface WalletProviderProps {
  children: ReactNode;
  store?: WalletStore;
}

export function WalletProvider({ children, store }: WalletProviderProps) {
  const [holder] = useState({ store: store ?? null });
  return <WalletContext value={holder}>{children}</WalletContext>;
}
