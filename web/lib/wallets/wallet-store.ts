import type { Wallets } from '@wallet-standard/app';
import type { PageStorage } from '#web/lib/browser/page-storage.ts';
import { isInstalled, listWallets, type WalletChoice } from './list-wallets.ts';
import type { WalletAdapter } from './wallet-adapter.ts';
import {
  createConnectFailedError,
  createNotConnectedError,
  createNoWalletError,
  readRefusal,
  WalletError,
} from './wallet-errors.ts';

export interface WalletState {
  readonly choices: readonly WalletChoice[];
  readonly connected: boolean;
  readonly connecting: boolean;
  readonly address: string | null;
  readonly walletId: string | null;
  /** The wallet that is prompting the user now. An earlier wallet stays connected until the user agrees. */
  readonly connectingId: string | null;
  readonly failure: WalletFailure | null;
}

export interface WalletFailure {
  readonly walletId: string;
  readonly message: string;
}

export interface WalletStoreDependencies {
  readonly page: unknown;
  readonly standard: Pick<Wallets, 'get' | 'on'>;
  readonly storage: PageStorage;
}

export type WalletStore = ReturnType<typeof createWalletStore>;

export const LAST_WALLET_KEY = 'solcallers.wallet';

const NOTHING_CONNECTED = { connected: false, address: null, walletId: null } as const;
const NOT_CONNECTING = { connecting: false, connectingId: null, failure: null } as const;

/** Manages the page's connected wallet. `start` listens for wallets and restores the last one. */
export function createWalletStore({ page, standard, storage }: WalletStoreDependencies) {
  const readChoices = () => listWallets({ page, standard: standard.get() });
  const initial = { ...NOTHING_CONNECTED, ...NOT_CONNECTING, choices: readChoices() };
  const { getState, subscribe, update } = createObservable<WalletState>(initial);
  let active: WalletAdapter | null = null;
  let stopWatching = () => {};
  /** Number of the latest attempt to connect. Results of older attempts are ignored. */
  let latestAttempt = 0;
  let hasStarted = false;
  let hasTriedToRestore = false;

  const fail = (failure: WalletFailure) => update({ ...NOT_CONNECTING, failure });

  function drop() {
    stopWatching();
    active = null;
    update(NOTHING_CONNECTED);
  }

  function finish(adapter: WalletAdapter, address: string) {
    storage.setItem(LAST_WALLET_KEY, adapter.id);
    stopWatching();
    active = adapter;
    stopWatching = adapter.onAccountChange((next) => {
      if (active !== adapter) return;
      if (next === null) drop();
      else update({ address: next });
    });
    update({ ...NOT_CONNECTING, connected: true, address, walletId: adapter.id });
  }

  async function restore() {
    const { choices, connected, connecting } = getState();
    const lastId = storage.getItem(LAST_WALLET_KEY);
    const adapter = choices.find(({ id }) => id === lastId)?.adapter;
    if (!adapter || hasTriedToRestore || connected || connecting) return;
    hasTriedToRestore = true;
    const thisAttempt = ++latestAttempt;
    try {
      const address = await adapter.connect({ silent: true });
      if (thisAttempt === latestAttempt) finish(adapter, address);
    } catch {
      // The wallet can't connect without a prompt. The user can choose it to connect it again.
      if (thisAttempt === latestAttempt) fail({ walletId: adapter.id, message: lockedText(adapter) });
    }
  }

  function refresh() {
    update({ choices: readChoices() });
    void restore();
  }

  return {
    getState,
    subscribe,
    refresh,

    start() {
      if (hasStarted) return;
      hasStarted = true;
      for (const change of ['register', 'unregister'] as const) standard.on(change, refresh);
      refresh();
    },

    /** Prompts the user to connect a wallet, by default the first installed one. @throws WalletError */
    async connect(walletId?: string): Promise<string> {
      update({ choices: readChoices() });
      const adapter = pickWallet(getState().choices, walletId);
      const thisAttempt = ++latestAttempt;
      update({ connecting: true, connectingId: adapter.id, failure: null });
      try {
        const address = await adapter.connect({ silent: false });
        if (thisAttempt === latestAttempt) finish(adapter, address);
        return address;
      } catch (error) {
        const problem = connectProblem(adapter, error);
        if (thisAttempt === latestAttempt) fail({ walletId: adapter.id, message: problem.message });
        throw problem;
      }
    },

    async disconnect(): Promise<void> {
      const adapter = active;
      latestAttempt += 1;
      storage.setItem(LAST_WALLET_KEY, null);
      drop();
      update(NOT_CONNECTING);
      // Ignore an error of the wallet: the page counts as disconnected in any case.
      await adapter?.disconnect().catch(() => {});
    },

    connectedAdapter: () => requireInstalled(active, getState().choices),
  };
}

function lockedText({ name }: WalletAdapter): string {
  return `${name} is locked or asks for your permission again. Choose it to continue.`;
}

function connectProblem({ name }: WalletAdapter, error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  switch (readRefusal(error)) {
    case 'busy':
      return new WalletError(`${name} is showing another request. Finish or close it, then try again.`);
    case 'locked':
      return new WalletError(`${name} is locked or doesn't allow this site. Unlock it, then try again.`);
    case 'other_network':
      return new WalletError(
        `${name} can't reach Solana or is set to another network. Choose Mainnet in its settings.`,
      );
    default:
      return createConnectFailedError(error);
  }
}

function requireInstalled(active: WalletAdapter | null, choices: readonly WalletChoice[]): WalletAdapter {
  if (active === null) throw createNotConnectedError();
  if (choices.some((choice) => choice.id === active.id && isInstalled(choice))) return active;
  throw new WalletError('No connected wallet found');
}

function pickWallet(choices: readonly WalletChoice[], walletId: string | undefined): WalletAdapter {
  const choice =
    walletId === undefined ? choices.find(isInstalled) : choices.find(({ id }) => id === walletId);
  if (choice?.adapter) return choice.adapter;
  if (!choice) throw createNoWalletError();
  throw new WalletError(`${choice.name} wallet not found. Please install ${choice.name} extension.`);
}

function createObservable<State>(initial: State) {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    update(change: Partial<State>) {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
  };
}
