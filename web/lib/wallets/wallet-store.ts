import type { Wallets } from '@wallet-standard/app';
import { isPresent, listWallets, type WalletChoice } from './list-wallets.ts';
import type { WalletAdapter } from './wallet-adapter.ts';
import {
  createConnectFailedError,
  createNoConnectedWalletError,
  createNotConnectedError,
  createNoWalletError,
  createWalletNotFoundError,
  WalletError,
} from './wallet-errors.ts';

/** What the page knows about wallets now. */
export interface WalletState {
  readonly choices: readonly WalletChoice[];
  readonly connected: boolean;
  readonly connecting: boolean;
  /** Base58, or `null` while nothing is connected. */
  readonly address: string | null;
  /** The connected wallet. */
  readonly walletId: string | null;
  /** The wallet that is being asked. What was connected before stays so until it agrees. */
  readonly connectingId: string | null;
}

export interface WalletStoreDependencies {
  /** The window, or in tests an object with what wallets leave on it. */
  readonly page: unknown;
  readonly standard: Pick<Wallets, 'get' | 'on'>;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

export type WalletStore = ReturnType<typeof createWalletStore>;

export const LAST_WALLET_KEY = 'solcallers.wallet';

const NOTHING_CONNECTED = { connected: false, address: null, walletId: null } as const;

/**
 * The one connected wallet of this page, apart from React so that it can be tried without a browser.
 * `start` begins to listen for wallets and restores the last one without a prompt.
 */
export function createWalletStore({ page, standard, storage }: WalletStoreDependencies) {
  const listeners = new Set<() => void>();
  let state: WalletState = {
    ...NOTHING_CONNECTED,
    choices: readChoices(),
    connecting: false,
    connectingId: null,
  };
  let active: WalletAdapter | null = null;
  let stopWatching = () => {};
  /** Each attempt to connect has a number; an answer to an older attempt is not listened to. */
  let attempt = 0;
  let hasTriedToRestore = false;

  function readChoices() {
    return listWallets({ page, standard: standard.get() });
  }

  function update(change: Partial<WalletState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function drop() {
    stopWatching();
    stopWatching = () => {};
    active = null;
    update(NOTHING_CONNECTED);
  }

  function settle(adapter: WalletAdapter, address: string) {
    stopWatching();
    active = adapter;
    stopWatching = adapter.onAccountChange((next) => {
      if (active !== adapter) return;
      if (next === null) drop();
      else update({ address: next });
    });
    remember(storage, adapter.id);
    update({ connected: true, connecting: false, connectingId: null, address, walletId: adapter.id });
  }

  async function restore() {
    const adapter = state.choices.find(({ id }) => id === recall(storage))?.adapter;
    if (!adapter || hasTriedToRestore || state.connected || state.connecting) return;
    hasTriedToRestore = true;
    const mine = ++attempt;
    try {
      const address = await adapter.connect({ silent: true });
      if (mine === attempt) settle(adapter, address);
    } catch {
      // Not allowed without a prompt (any more): the person connects when they need it.
    }
  }

  /** Looks again which wallets are there; some arrive after the page. */
  function refresh() {
    update({ choices: readChoices() });
    void restore();
  }

  function pick(walletId: string | undefined): WalletAdapter {
    const present = state.choices.filter(isPresent);
    const choice = walletId === undefined ? present[0] : state.choices.find(({ id }) => id === walletId);
    if (choice?.adapter) return choice.adapter;
    throw choice ? createWalletNotFoundError(choice.name) : createNoWalletError();
  }

  function connectedAdapter(): WalletAdapter {
    if (active === null) throw createNotConnectedError();
    const { id } = active;
    if (!state.choices.some((choice) => choice.id === id && isPresent(choice))) {
      throw createNoConnectedWalletError();
    }
    return active;
  }

  return {
    getState: () => state,

    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    /** Begins to listen for wallets that come and go. Returns how to stop. */
    start() {
      const stops = [standard.on('register', refresh), standard.on('unregister', refresh)];
      refresh();
      return () => stops.forEach((stop) => stop());
    },

    refresh,

    /**
     * Connects a wallet, asking the person.
     * @param walletId the wallet, or nothing for the first one that is there.
     * @throws WalletError in the words of the specification.
     */
    async connect(walletId?: string): Promise<string> {
      update({ choices: readChoices() });
      const adapter = pick(walletId);
      const mine = ++attempt;
      update({ connecting: true, connectingId: adapter.id });
      try {
        const address = await adapter.connect({ silent: false });
        if (mine === attempt) settle(adapter, address);
        return address;
      } catch (error) {
        if (mine === attempt) update({ connecting: false, connectingId: null });
        throw error instanceof WalletError ? error : createConnectFailedError(error);
      }
    },

    /** Lets go of the wallet and forgets it; it will not be restored. */
    async disconnect(): Promise<void> {
      const adapter = active;
      attempt += 1;
      forget(storage);
      drop();
      update({ connecting: false, connectingId: null });
      // The page has let go already; a wallet that fails to say goodbye changes nothing.
      await adapter?.disconnect().catch(() => {});
    },

    /** The connected wallet, to sign with. Throws where there is none. */
    connectedAdapter,
  };
}

// A browser may refuse storage altogether (private windows, policies): then nothing is restored.
function recall(storage: WalletStoreDependencies['storage']): string | null {
  try {
    return storage.getItem(LAST_WALLET_KEY);
  } catch {
    return null;
  }
}

function remember(storage: WalletStoreDependencies['storage'], walletId: string) {
  try {
    storage.setItem(LAST_WALLET_KEY, walletId);
  } catch {
    // See above.
  }
}

function forget(storage: WalletStoreDependencies['storage']) {
  try {
    storage.removeItem(LAST_WALLET_KEY);
  } catch {
    // See above.
  }
}
