import { SUBSCRIBE_HASH } from '#web/lib/text/subscribe-hash.ts';

/** Wallets whose app has its own browser, with the link that opens a page in it. */
const BROWSE_LINKS: ReadonlyMap<string, string> = new Map([
  ['phantom', 'https://phantom.app/ul/browse/'],
  ['solflare', 'https://solflare.com/ul/v1/browse/'],
  ['backpack', 'https://backpack.app/ul/v1/browse/'],
]);

/**
 * The link that opens a page in a wallet's app; `null` if the app has none.
 * @param page an absolute URL
 */
export function walletAppUrl(walletId: string, page: string): string | null {
  const base = BROWSE_LINKS.get(walletId);
  if (base === undefined) return null;
  return `${base}${encodeURIComponent(page)}?ref=${encodeURIComponent(new URL(page).origin)}`;
}

export function subscribePageUrl(handle: string, origin: string): string {
  return `${origin}/caller/${encodeURIComponent(handle)}#${SUBSCRIBE_HASH}`;
}

type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** True on a phone or tablet, where wallets are apps. An iPad's User-Agent claims to be a Mac. */
export function isMobileDevice({ userAgent, maxTouchPoints }: Device): boolean {
  return /android|iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1);
}
