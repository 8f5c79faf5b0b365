import backpack from '#web/lib/logos/backpack.svg?no-inline';
import coinbaseWallet from '#web/lib/logos/coinbase-wallet.svg?no-inline';
import magicEden from '#web/lib/logos/magic-eden.svg?no-inline';
import phantom from '#web/lib/logos/phantom.svg?no-inline';
import solflare from '#web/lib/logos/solflare.svg?no-inline';
import type { InjectedProvider } from './injected-adapter.ts';

/** A wallet that is listed even if it isn't installed, with a link to install it. */
export interface KnownWallet {
  readonly id: string;
  readonly name: string;
  readonly installUrl: string;
  /** URL of our copy of the logo. Registered wallets supply their own logo. */
  readonly logo: string;
  readonly find: (page: unknown) => InjectedProvider | null;
}

type Flag = 'isPhantom' | (typeof OTHER_FLAGS)[number];

export const KNOWN_WALLETS: readonly KnownWallet[] = [
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
    installUrl: 'https://wallet.magiceden.io/',
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

function member(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? (owner as Record<string, unknown>)[name] : undefined;
}

function isProvider(value: unknown): value is InjectedProvider {
  return (
    typeof member(value, 'connect') === 'function' && typeof member(value, 'signTransaction') === 'function'
  );
}
