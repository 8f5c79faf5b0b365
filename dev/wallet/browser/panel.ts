import { shortenAddress } from '#schema/rules/text/format.ts';
import { element } from './elements.ts';
import { walletIcon } from './icon.ts';
import type { LocalRpc } from './local-rpc.ts';
import type { LocalWallet } from './wallet.ts';

const AIRDROP_LAMPORTS = 5_000_000_000n;
const POLL_MS = 4000;
const OPEN_KEY = 'local-wallet:panel-open';

/** Lamports as SOL with four decimals, rounded down. */
const formatRoundedSol = (lamports: bigint): string => (Number(lamports / 100_000n) / 10_000).toFixed(4);

interface PanelActions {
  setOpen(isOpen: boolean): void;
  receiveAirdrop(): void;
  copyAddress(): void;
  replaceKey(): void;
}

function createPanel({ setOpen, receiveAirdrop, copyAddress, replaceKey }: PanelActions) {
  const balance = element('p', { class: 'balance' }, '…');
  const openerText = element('span', {}, 'Local Wallet');
  const addressText = element('code', {});
  const status = element('p', { class: 'status', role: 'status' });
  const opener = element(
    'button',
    {
      type: 'button',
      class: 'pill',
      'aria-label': 'Open Local Wallet',
      'aria-expanded': 'false',
      onclick: () => setOpen(true),
    },
    element('img', { src: walletIcon, alt: '' }),
    openerText,
  );
  const close = element(
    'button',
    { type: 'button', 'aria-label': 'Close Local Wallet', onclick: () => setOpen(false) },
    '×',
  );
  const airdrop = element(
    'button',
    { type: 'button', class: 'primary', onclick: receiveAirdrop },
    'Airdrop 5 SOL',
  );
  const copy = element('button', { type: 'button', onclick: copyAddress }, addressText, 'Copy');
  const newKey = element('button', { type: 'button', onclick: replaceKey }, 'New key');
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Local Wallet' },
    element('header', {}, element('h2', {}, 'Local Wallet'), close),
    balance,
    element('p', { class: 'muted' }, 'Play money on this machine.'),
    element('div', { class: 'stack' }, airdrop, copy, newKey),
    status,
  );
  return { balance, openerText, addressText, status, opener, close, airdrop, panel };
}

interface ShowPanelOptions {
  root: ShadowRoot;
  wallet: LocalWallet;
  rpc: LocalRpc;
}

/** Shows the wallet in a corner of the page: a button that opens address, balance and airdrop. */
export function showPanel({ root, wallet, rpc }: ShowPanelOptions): void {
  const { balance, openerText, addressText, status, opener, close, airdrop, panel } = createPanel({
    setOpen,
    receiveAirdrop: () => void receiveAirdrop(),
    copyAddress: () => void copyAddress(),
    replaceKey: () => void replaceKey(),
  });

  function setOpen(isOpen: boolean): void {
    panel.hidden = !isOpen;
    opener.hidden = isOpen;
    sessionStorage.setItem(OPEN_KEY, isOpen ? '1' : '0');
    (isOpen ? close : opener).focus();
  }

  async function refresh(): Promise<void> {
    addressText.textContent = shortenAddress(wallet.address());
    try {
      const amount = `${formatRoundedSol(await rpc.balance(wallet.address()))} SOL`;
      balance.textContent = amount;
      openerText.textContent = amount;
    } catch {
      balance.textContent = 'The local chain does not answer';
      openerText.textContent = 'offline';
    }
  }

  async function receiveAirdrop(): Promise<void> {
    // Ignore clicks while busy. A disabled button would lose the focus.
    if (airdrop.ariaBusy === 'true') return;
    airdrop.ariaBusy = 'true';
    status.textContent = 'Requesting 5 SOL…';
    try {
      await rpc.airdrop({ address: wallet.address(), lamports: AIRDROP_LAMPORTS });
      status.textContent = '5 SOL are on their way.';
    } catch (error) {
      status.textContent = `Airdrop failed: ${error instanceof Error ? error.message : 'unknown error'}`;
    }
    airdrop.ariaBusy = 'false';
    await refresh();
  }

  async function copyAddress(): Promise<void> {
    try {
      await navigator.clipboard.writeText(wallet.address());
      status.textContent = 'Address copied.';
    } catch {
      status.textContent = wallet.address();
    }
  }

  async function replaceKey(): Promise<void> {
    if (!confirm('Create a new key? You lose the SOL in the current one.')) return;
    await wallet.replaceKey();
    status.textContent = 'This is a new, empty wallet.';
    await refresh();
  }

  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') setOpen(false);
  });
  root.append(element('div', { class: 'corner' }, opener, panel));
  panel.hidden = sessionStorage.getItem(OPEN_KEY) !== '1';
  opener.hidden = !panel.hidden;
  void refresh();
  setInterval(() => document.visibilityState === 'visible' && void refresh(), POLL_MS);
}
