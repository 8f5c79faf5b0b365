import { isSolOrStableCoin } from '../calls/stable-coin-mints.ts';
import { isPublicKey } from './base58.ts';

/** A token's mint, or the pool in a DexScreener link. The pool is often in lower case there. */
export type TokenReference = { readonly mint: string } | { readonly pool: string };

const HOSTS = ['dexscreener.com', 'jup.ag', 'pump.fun'];
const MAX_LENGTH = 500;
const ADDRESS = /^[1-9A-Za-z]{32,44}$/;

/** Finds the token that an address or a link to DexScreener, Jupiter or pump.fun names. Null for other texts. */
export function readTokenReference(text: string): TokenReference | null {
  const typed = text.trim();
  if (isPublicKey(typed)) return { mint: typed };
  const url = readUrl(typed);
  if (url === null) return null;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (url.hostname === 'dexscreener.com') {
    const [chain, pool = ''] = parts;
    return chain === 'solana' && ADDRESS.test(pool) ? { pool } : null;
  }
  const pairs = parts.flatMap((part) => part.split(/[-_]/));
  // The token that is bought comes before others; in a path, it is the last one.
  const named = ['buy', 'outputMint'].flatMap((name) => url.searchParams.get(name) ?? []);
  const sold = ['sell', 'inputMint'].flatMap((name) => url.searchParams.get(name) ?? []);
  const mints = [...named, ...pairs.toReversed(), ...sold].filter(isPublicKey);
  // A link to a swap names two tokens, and means the one that isn't used to pay.
  const mint = mints.find((each) => !isSolOrStableCoin(each)) ?? mints[0];
  return mint === undefined ? null : { mint };
}

/** Parses a link to one of `HOSTS`; null for others. Its `https://` may be missing. */
function readUrl(text: string): URL | null {
  if (text.length > MAX_LENGTH || /\s/.test(text)) return null;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null) return null;
  url.hostname = url.hostname.replace(/^www\./, '');
  return HOSTS.includes(url.hostname) ? url : null;
}
