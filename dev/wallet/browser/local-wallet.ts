import { registerWallet } from '@wallet-standard/wallet';
import { createApprover } from './approval.ts';
import { createLocalRpc } from './local-rpc.ts';
import { showPanel } from './panel.ts';
import { pageStyles, walletStyles } from './styles.ts';
import { createLocalWallet } from './wallet.ts';

/** The build replaces this with the RPC address. */
declare const LOCAL_RPC_URL: string;

async function start(): Promise<void> {
  const host = document.createElement('local-wallet');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheetOf(walletStyles)];
  document.adoptedStyleSheets.push(sheetOf(pageStyles));

  const rpc = createLocalRpc(LOCAL_RPC_URL);
  const wallet = await createLocalWallet({
    send: rpc.send,
    storage: localStorage,
    host: location.host,
    approve: createApprover(root),
  });
  registerWallet(wallet.wallet);
  showPanel({ root, wallet, rpc });
  document.body.append(host);
  keepReachable(host);
}

function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}

/**
 * Keeps the wallet usable while the page shows a modal dialog, which makes the rest of the page inert. The
 * wallet must be exempt, because a real wallet isn't part of the page.
 */
function keepReachable(host: HTMLElement): void {
  const hiding = ['inert', 'aria-hidden'];
  new MutationObserver(() => {
    for (const name of hiding) if (host.hasAttribute(name)) host.removeAttribute(name);
  }).observe(host, { attributes: true, attributeFilter: hiding });
}

if (document.body === null) addEventListener('DOMContentLoaded', () => void start());
else void start();
