import type { Wallet } from '@wallet-standard/base';
import backpack from '#web/lib/logos/backpack.svg?no-inline';
import coinbaseWallet from '#web/lib/logos/coinbase-wallet.svg?no-inline';
import magicEden from '#web/lib/logos/magic-eden.svg?no-inline';
import phantom from '#web/lib/logos/phantom.svg?no-inline';
import solflare from '#web/lib/logos/solflare.svg?no-inline';
import { createInjectedAdapter, type InjectedProvider } from './injected-adapter.ts';
import { member } from '../browser/member.ts';
import { canPay, createStandardAdapter, isSolana, readIcon } from './standard-adapter.ts';
import type { WalletAdapter } from './wallet-adapter.ts';

/** A wallet to choose from. Without an `adapter`, it has a `problem` or isn't installed. */
export interface WalletChoice extends Pick<WalletAdapter, 'id' | 'name' | 'icon' | 'installUrl'> {
  readonly adapter: WalletAdapter | null;
  readonly problem: string | null;
}

export interface WalletSources {
  readonly page: unknown;
  readonly standard: readonly Wallet[];
}

/**
 * Lists each wallet once: usable ones first, then known ones to install, then installed ones that can't be
 * used here. If a wallet has both a Wallet Standard registration and an injected object, uses the
 * registration, because it can do more (Sign In With Solana, chain names).
 */
export function listWallets({ page, standard }: WalletSources): readonly WalletChoice[] {
  const registered = new Map<string, Wallet>();
  const unfit = new Map<string, WalletChoice>();
  for (const wallet of standard) {
    const id = idOf(wallet.name);
    if (canPay(wallet)) {
      if (!registered.has(id)) registered.set(id, wallet);
    } else if (wallet.chains.some(isSolana)) {
      const problem = "Can't sign Solana transactions.";
      unfit.set(id, { id, name: wallet.name, icon: readIcon(wallet), adapter: null, problem });
    }
  }
  const known = KNOWN_WALLETS.map((wallet): WalletChoice => {
    const { logo, find, ...about } = wallet;
    const standardWallet = registered.get(about.id);
    if (standardWallet) return toChoice(createStandardAdapter(standardWallet, about));
    const provider = find(page);
    const adapter = provider && createInjectedAdapter(about, provider);
    return (!adapter && unfit.get(about.id)) || { ...about, icon: logo, adapter, problem: null };
  });
  const others = [...registered]
    .filter(([id]) => !KNOWN_WALLETS.some((wallet) => wallet.id === id))
    .map(([id, wallet]) => toChoice(createStandardAdapter(wallet, { id, name: wallet.name })));
  const listed = [...known, ...others];
  const othersUnfit = [...unfit.values()].filter(({ id }) => listed.every((choice) => choice.id !== id));
  return [...listed, ...othersUnfit].toSorted((one, other) => rankOf(one) - rankOf(other));
}

export function isInstalled(choice: WalletChoice): boolean {
  return choice.adapter !== null;
}

function rankOf({ adapter, problem }: WalletChoice): number {
  if (adapter !== null) return 0;
  return problem === null ? 1 : 2;
}

function toChoice(adapter: WalletAdapter): WalletChoice {
  const { id, name, icon, installUrl } = adapter;
  return { id, name, icon, ...(installUrl !== undefined && { installUrl }), adapter, problem: null };
}

function idOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}

/** A wallet that is listed even if it isn't installed, with a link to install it if its maker still offers it. */
interface KnownWallet {
  readonly id: string;
  readonly name: string;
  readonly installUrl?: string;
  /** URL of our copy of the logo. Registered wallets supply their own logo. */
  readonly logo: string;
  readonly find: (page: unknown) => InjectedProvider | null;
}

type Flag = 'isPhantom' | (typeof OTHER_FLAGS)[number];

const KNOWN_WALLETS: readonly KnownWallet[] = [
  {
    id: 'phantom',
    name: 'Phantom',
    installUrl: 'https://phantom.com/download',
    logo: phantom,
    find: (page) => firstFlagged(page, 'isPhantom', ['phantom.solana', 'solana']),
  },
  {
    id: 'magic-eden',
    name: 'Magic Eden',
    // Its maker has not supported it since April 2026 (read in November 2026). An old link would be a place for impostors.
    logo: magicEden,
    find: (page) => firstFlagged(page, 'isMagicEden', ['magicEden.solana']),
  },
  {
    id: 'solflare',
    name: 'Solflare',
    installUrl: 'https://solflare.com/download',
    logo: solflare,
    find: (page) => firstFlagged(page, 'isSolflare', ['solflare', 'solana']),
  },
  {
    id: 'backpack',
    name: 'Backpack',
    installUrl: 'https://backpack.app/download',
    logo: backpack,
    find: (page) => firstFlagged(page, 'isBackpack', ['backpack', 'backpack.solana', 'solana']),
  },
  {
    id: 'coinbase-wallet',
    // Its app was named Base until September 2026 (decision 054).
    name: 'Coinbase Wallet',
    installUrl: 'https://www.coinbase.com/wallet/downloads',
    logo: coinbaseWallet,
    find: (page) => firstFlagged(page, 'isCoinbaseWallet', ['coinbaseSolana', 'solana']),
  },
];

const OTHER_FLAGS = ['isMagicEden', 'isSolflare', 'isBackpack', 'isCoinbaseWallet', 'isBraveWallet'] as const;

function firstFlagged(page: unknown, flag: Flag, paths: readonly string[]): InjectedProvider | null {
  for (const path of paths) {
    const found = path.split('.').reduce<unknown>(member, page);
    if (!isProvider(found) || member(found, flag) !== true) continue;
    // Other wallets also set isPhantom for compatibility, but have a flag of their own.
    if (flag === 'isPhantom' && OTHER_FLAGS.some((other) => member(found, other) === true)) continue;
    return found;
  }
  return null;
}

function isProvider(value: unknown): value is InjectedProvider {
  return (
    typeof member(value, 'connect') === 'function' && typeof member(value, 'signTransaction') === 'function'
  );
}
