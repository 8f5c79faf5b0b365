import type { Wallet } from '@wallet-standard/base';
import { createInjectedAdapter } from './injected-adapter.ts';
import { KNOWN_WALLETS } from './known-wallets.ts';
import { canPay, createStandardAdapter } from './standard-adapter.ts';
import type { WalletAdapter } from './wallet-adapter.ts';

/** A wallet to choose from. Without an adapter it is not in this browser, and `installUrl` says where it comes from. */
export interface WalletChoice {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly installUrl?: string;
  readonly adapter: WalletAdapter | null;
}

/**
 * Every wallet once: those in this browser first, then the known ones that are missing.
 *
 * A wallet that announces itself and also leaves an object on the window is taken through the
 * standard, which can do more (it signs in, and names its chains).
 */
export function listWallets({
  page,
  standard,
}: {
  readonly page: unknown;
  readonly standard: readonly Wallet[];
}): readonly WalletChoice[] {
  const announced = new Map<string, Wallet>();
  for (const wallet of standard) {
    const id = idOf(wallet.name);
    if (canPay(wallet) && !announced.has(id)) announced.set(id, wallet);
  }
  const known = KNOWN_WALLETS.map((wallet): WalletChoice => {
    const { id, name, installUrl } = wallet;
    const byStandard = announced.get(id);
    if (byStandard) return choose(createStandardAdapter(byStandard, { id, name, installUrl }));
    const provider = wallet.find(page);
    return provider
      ? choose(createInjectedAdapter(wallet, provider))
      : { id, name, icon: null, installUrl, adapter: null };
  });
  const others = [...announced]
    .filter(([id]) => !KNOWN_WALLETS.some((wallet) => wallet.id === id))
    .map(([id, wallet]) => choose(createStandardAdapter(wallet, { id, name: wallet.name })));
  const choices = [...known, ...others];
  return [...choices.filter(isPresent), ...choices.filter((choice) => !isPresent(choice))];
}

/** Whether the wallet is in this browser. */
export function isPresent(choice: WalletChoice): boolean {
  return choice.adapter !== null;
}

function choose(adapter: WalletAdapter): WalletChoice {
  const { id, name, icon, installUrl } = adapter;
  return { id, name, icon, ...(installUrl !== undefined && { installUrl }), adapter };
}

function idOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}
