import type { Wallet } from '@wallet-standard/base';
import { createInjectedAdapter } from './injected-adapter.ts';
import { KNOWN_WALLETS } from './known-wallets.ts';
import { canPay, createStandardAdapter } from './standard-adapter.ts';
import type { WalletAdapter } from './wallet-adapter.ts';

/** A wallet to choose from. If its adapter is null, it isn't installed, and `installUrl` is its download page. */
export interface WalletChoice extends Pick<WalletAdapter, 'id' | 'name' | 'icon' | 'installUrl'> {
  readonly adapter: WalletAdapter | null;
}

export interface WalletSources {
  readonly page: unknown;
  readonly standard: readonly Wallet[];
}

/**
 * Lists each wallet once: installed ones first, then known ones to install. A wallet that offers both a
 * Wallet Standard registration and an injected object is used through the standard, which can do more (Sign
 * In With Solana, chain names).
 */
export function listWallets({ page, standard }: WalletSources): readonly WalletChoice[] {
  const registered = new Map<string, Wallet>();
  for (const wallet of standard) {
    const id = idOf(wallet.name);
    if (canPay(wallet) && !registered.has(id)) registered.set(id, wallet);
  }
  const known = KNOWN_WALLETS.map((wallet): WalletChoice => {
    const { id, name, installUrl, logo } = wallet;
    const standardWallet = registered.get(id);
    if (standardWallet) return toChoice(createStandardAdapter(standardWallet, { id, name, installUrl }));
    const provider = wallet.find(page);
    const adapter = provider && createInjectedAdapter({ id, name, installUrl }, provider);
    return { id, name, icon: logo, installUrl, adapter };
  });
  const others = [...registered]
    .filter(([id]) => !KNOWN_WALLETS.some((wallet) => wallet.id === id))
    .map(([id, wallet]) => toChoice(createStandardAdapter(wallet, { id, name: wallet.name })));
  const choices = [...known, ...others];
  return [...choices.filter(isInstalled), ...choices.filter((choice) => !isInstalled(choice))];
}

export function isInstalled(choice: WalletChoice): boolean {
  return choice.adapter !== null;
}

function toChoice(adapter: WalletAdapter): WalletChoice {
  const { id, name, icon, installUrl } = adapter;
  return { id, name, icon, ...(installUrl !== undefined && { installUrl }), adapter };
}

function idOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}
