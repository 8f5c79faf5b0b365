/** Links, not calls: each is a full page load. */
const SIGN_IN_PATH = '/api/auth/twitter';
/** As long as the server remembers; from a longer place one lands where everyone lands. */
const RETURN_TO_MAX_LENGTH = 500;
const SELF = 'https://self.invalid';

/**
 * Where one signs in, and comes back from to the same place.
 * @param place path, query and fragment of this page; from '/' (and what is no place of ours) one lands on the dashboard.
 */
export function signInUrl(place: string): string {
  const url = URL.parse(place, SELF);
  const path = url?.origin === SELF ? `${url.pathname}${url.search}${url.hash}` : '/';
  return path === '/' || path.length > RETURN_TO_MAX_LENGTH
    ? SIGN_IN_PATH
    : `${SIGN_IN_PATH}?returnTo=${encodeURIComponent(path)}`;
}

/** The same link, with the place to come back to; from a place longer than the server remembers, the dashboard. */
export function withReturnTo(link: string, place: string): string {
  return place.length > RETURN_TO_MAX_LENGTH ? link : `${link}&returnTo=${encodeURIComponent(place)}`;
}

/** Where the product is found elsewhere. */
export const SOCIAL_LINKS = {
  x: 'https://x.com/solcallers',
  discord: 'https://discord.gg/solcallers',
} as const;

/** A person's profile on X. */
export function xProfileUrl(handle: string): string {
  return `https://x.com/${encodeURIComponent(handle)}`;
}

/** Where a token is bought with SOL. */
export function buyUrl(mint: string): string {
  return `https://jup.ag/swap/SOL-${encodeURIComponent(mint)}`;
}

/** The mint of the product's own token; null until there is one (set VITE_TOKEN_MINT at build time). */
export const PRODUCT_TOKEN_MINT: string | null =
  (import.meta.env['VITE_TOKEN_MINT'] as string | undefined) || null;
