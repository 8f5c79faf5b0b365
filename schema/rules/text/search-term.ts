import { readTokenReference } from './token-link.ts';

const X_HOST = /^(?:www\.|mobile\.)?(?:x|twitter)\.com$/;
/** Without X's own pages. */
const X_PROFILE =
  /^(?!(?:explore|hashtag|home|i|intent|messages|notifications|search|settings|share)$)\w{1,15}$/i;

const NAMING_PAGES: ReadonlySet<string> = new Set(['caller', 'call', 'token', 'tx', 'account', 'address']);

/**
 * The term that finds what a pasted address names: '@ada' for a profile on X, a handle or an id for one of our callers' pages,
 * an address or signature for a page of a token, an account or a transaction on several sites. Other texts stay as they are.
 */
export function readSearchTerm(text: string): string {
  const typed = text.trim();
  const token = readTokenReference(typed);
  if (token !== null) return 'mint' in token ? token.mint : token.pool;
  const address = typed.startsWith('/') ? `our.site${typed}` : typed;
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  if (url === null || /\s/.test(typed)) return typed;
  const [page = '', name = ''] = url.pathname.split('/').filter((part) => part !== '');
  if (X_HOST.test(url.hostname)) return X_PROFILE.test(page) ? `@${page}` : typed;
  // Our own pages, whatever the site's domain is. Explorers name their pages in the same way.
  if (page === 'caller' && /^@?\w{1,15}$/.test(name)) return `@${name.replace('@', '')}`;
  return NAMING_PAGES.has(page) && name !== '' ? name : typed;
}
