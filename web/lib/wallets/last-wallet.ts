export const LAST_WALLET_KEY = 'solcallers.wallet';

export type LastWalletStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Remembers the last connected wallet. Does nothing if storage is blocked (private windows, policies). */
export function createLastWallet(storage: LastWalletStorage) {
  return {
    recall: () => attempt(() => storage.getItem(LAST_WALLET_KEY)),
    remember: (walletId: string) => attempt(() => storage.setItem(LAST_WALLET_KEY, walletId)),
    forget: () => attempt(() => storage.removeItem(LAST_WALLET_KEY)),
  };
}

function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}
