import { xIdFromPlaceholderHandle } from '#schema/rules/people/person-name.ts';

/** Path that starts the sign-in. Opening it needs a full page load. */
const SIGN_IN_PATH = '/api/auth/twitter';
/** The server's limit for the URL to return to. After a sign-in with a longer URL, the default page opens. */
const RETURN_TO_MAX_LENGTH = 500;
const SELF = 'https://self.invalid';

/**
 * The sign-in link that returns to this page.
 * @param place path, query and fragment of this page. With '/' or a foreign URL, sign-in returns to the
 * dashboard.
 */
export function signInUrl(place: string): string {
  const url = URL.parse(place, SELF);
  const path = url?.origin === SELF ? `${url.pathname}${url.search}${url.hash}` : '/';
  return path === '/' || path.length > RETURN_TO_MAX_LENGTH
    ? SIGN_IN_PATH
    : `${SIGN_IN_PATH}?returnTo=${encodeURIComponent(path)}`;
}

export function withReturnTo(link: string, place: string): string {
  return place.length > RETURN_TO_MAX_LENGTH ? link : `${link}&returnTo=${encodeURIComponent(place)}`;
}

export const SOCIAL_LINKS = {
  x: 'https://x.com/solcallers',
  discord: 'https://discord.gg/solcallers',
} as const;

export function xProfileUrl(handle: string): string {
  const xUserId = xIdFromPlaceholderHandle({ twitterHandle: handle });
  if (xUserId !== null) return `https://x.com/i/user/${xUserId}`;
  return `https://x.com/${encodeURIComponent(handle)}`;
}

/** The mint of the product's own token, from VITE_TOKEN_MINT at build time; null if unset. */
export const PRODUCT_TOKEN_MINT: string | null = import.meta.env.VITE_TOKEN_MINT || null;
