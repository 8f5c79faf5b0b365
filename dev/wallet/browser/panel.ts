import { shortenAddress } from '#schema/rules/text/format.ts';
import { walletIcon } from './icon.ts';
import type { LocalRpc } from './local-rpc.ts';
import type { LocalWallet } from './wallet.ts';

const AIRDROP_LAMPORTS = 5_000_000_000n;
const POLL_MS = 4000;
/** After an airdrop, the panel looks for it more often, this number of times. Then it waits for the usual interval. */
const AIRDROP_LOOKS = 5;
const AIRDROP_POLL_MS = 400;
const OPEN_KEY = 'local-wallet:panel-open';

/** Lamports as SOL with four decimals, rounded down. */
const formatRoundedSol = (lamports: bigint): string => (Number(lamports / 100_000n) / 10_000).toFixed(4);

/** Creates an element without HTML, because the pages' Trusted Types refuse HTML. */
function create(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): Element {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const button = (attributes: Readonly<Record<string, string>>, ...children: (Node | string)[]) =>
  create('button', { type: 'button', ...attributes }, ...children);

const createPanel = () =>
  create(
    'div',
    { class: 'corner' },
    button(
      { id: 'open', class: 'pill', 'aria-label': 'Open Local Wallet', 'aria-expanded': 'false' },
      create('img', { src: walletIcon, alt: '' }),
      create('span', {}, 'Local Wallet'),
    ),
    create(
      'section',
      { class: 'panel', 'aria-label': 'Local Wallet' },
      create(
        'header',
        {},
        create('h2', {}, 'Local Wallet'),
        button({ id: 'close', 'aria-label': 'Close Local Wallet' }, '×'),
      ),
      create('p', { class: 'balance' }, '…'),
      create('p', { class: 'muted' }, 'Play money on this machine.'),
      create(
        'div',
        { class: 'stack' },
        button({ id: 'airdrop', class: 'primary' }, 'Airdrop 5 SOL'),
        button({ id: 'copy' }, create('code', {}), 'Copy'),
        button({ id: 'new-key' }, 'New key'),
      ),
      create('p', { class: 'status', role: 'status' }),
    ),
  );

interface ShowPanelOptions {
  root: ShadowRoot;
  wallet: LocalWallet;
  rpc: LocalRpc;
}

/** Shows the wallet in a corner of the page: a button that opens address, balance and airdrop. */
export function showPanel({ root, wallet, rpc }: ShowPanelOptions): void {
  root.append(createPanel());
  const find = (selector: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`The panel has no ${selector}.`);
    return found;
  };
  const [panel, opener, close] = [find('.panel'), find('#open'), find('#close')];
  const [balance, openerText, addressText] = [find('.balance'), find('#open span'), find('#copy code')];
  const [status, airdrop] = [find('.status'), find('#airdrop')];

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
      balance.textContent = 'The local chain does not respond';
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
    await waitForAirdrop();
  }

  async function waitForAirdrop(): Promise<void> {
    const before = balance.textContent;
    for (let look = 0; look < AIRDROP_LOOKS && balance.textContent === before; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, AIRDROP_POLL_MS));
      await refresh();
    }
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
  opener.addEventListener('click', () => setOpen(true));
  close.addEventListener('click', () => setOpen(false));
  airdrop.addEventListener('click', () => void receiveAirdrop());
  find('#copy').addEventListener('click', () => void copyAddress());
  find('#new-key').addEventListener('click', () => void replaceKey());
  panel.hidden = sessionStorage.getItem(OPEN_KEY) !== '1';
  opener.hidden = !panel.hidden;
  void refresh();
  setInterval(() => document.visibilityState === 'visible' && void refresh(), POLL_MS);
}
