import type { Wallet } from '@wallet-standard/base';
import { createInjectedAdapter } from './injected-adapter.ts';
import { KNOWN_WALLETS } from './known-wallets.ts';
import { canPay, createStandardAdapter, describeUnfit, readIcon } from './standard-adapter.ts';
import type { WalletAdapter } from './wallet-adapter.ts';

/** A wallet to choose from. Without an `adapter`, it has a `problem` or isn't installed. */
export interface WalletChoice extends Pick<WalletAdapter, 'id' | 'name' | 'icon' | 'installUrl'> {
  readonly adapter: WalletAdapter | null;
  /** Reason why an installed wallet can't be used here; null if it can. */
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
    const problem = canPay(wallet) ? null : describeUnfit(wallet);
    const icon = readIcon(wallet);
    if (problem !== null) unfit.set(id, { id, name: wallet.name, icon, adapter: null, problem });
    else if (canPay(wallet) && !registered.has(id)) registered.set(id, wallet);
  }
  const known = KNOWN_WALLETS.map((wallet): WalletChoice => {
    const { id, name, installUrl, logo } = wallet;
    const standardWallet = registered.get(id);
    if (standardWallet) return toChoice(createStandardAdapter(standardWallet, { id, name, installUrl }));
    const provider = wallet.find(page);
    const adapter = provider && createInjectedAdapter({ id, name, installUrl }, provider);
    return (!adapter && unfit.get(id)) || { id, name, icon: logo, installUrl, adapter, problem: null };
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
