import type { Wallets } from '@wallet-standard/app';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { WalletError } from './wallet-errors.ts';

/** True if the browser can open wallet apps on this phone: the Web Shell, or Chrome and what looks like it on Android. */
export function canOpenWalletApps(userAgent: string): boolean {
  if (!/android/i.test(userAgent)) return false;
  return isWebShell(userAgent) || (/chrome\//i.test(userAgent) && !/; wv\)|webview/i.test(userAgent));
}

/** Solana Mobile's Web Shell is a WebView that opens wallet apps. Its maker's library recognizes it the same way. */
function isWebShell(userAgent: string): boolean {
  return userAgent.includes('Solana Mobile Web Shell');
}

/** Adds the wallet apps of an Android phone to the page's wallets. On other devices, loads no code. */
export async function registerMobileWallet(standard: Pick<Wallets, 'register'>): Promise<void> {
  if (!window.isSecureContext || !canOpenWalletApps(navigator.userAgent)) return;
  const [{ createMobileWallet, phoneIcon }, { transact }] = await Promise.all([
    import('./mobile-wallet.ts'),
    import('@solana-mobile/mobile-wallet-adapter-protocol'),
  ]);
  standard.register(
    createMobileWallet({
      transact,
      storage: pageStorage,
      origin: window.location.origin,
      icon: phoneIcon,
      assertReachable: () => assertReachable(navigator),
    }),
  );
}

/** Name of Chrome's permission to connect to apps on the device. Other and older browsers don't know it. */
const LOOPBACK = 'loopback-network';
/** No program listens on this address. The attempt makes Chrome prompt the user for the permission. */
const PROBE = 'ws://localhost:49151';

/** The browser's permissions, also those that TypeScript doesn't know. */
interface NamedPermissions {
  query(permission: { readonly name: string }): Promise<Pick<PermissionStatus, 'state'>>;
}

interface Browser extends Pick<Navigator, 'userAgent'> {
  readonly permissions: NamedPermissions;
}

/**
 * Checks the permission to connect over the phone's own network, as wallet apps do. If Chrome prompts for it,
 * the page needs another click to open the app.
 * @throws WalletError unless the page may connect now
 */
export async function assertReachable({ userAgent, permissions }: Browser): Promise<void> {
  // The Web Shell may connect, but like any WebView it can't be asked for the permission.
  if (isWebShell(userAgent)) return;
  const query = async () => (await permissions.query({ name: LOOPBACK }).catch(() => null))?.state;
  let state = await query();
  if (state === 'prompt') {
    await new Promise((resolve) => {
      new WebSocket(PROBE).addEventListener('error', resolve);
    });
    state = await query();
    if (state === 'granted') throw new WalletError('This site may now open your wallet. Choose it again.');
  }
  if (state === 'denied') {
    throw new WalletError(
      'Your browser blocks the connection to your wallet. Tap the icon beside the address (in an installed app, ' +
        'hold its icon), open the site settings, and allow "Apps on device".',
    );
  }
}
