/** Fragment of the address to which a tab returns that was opened only to sign in again. */
export const SIGN_IN_TAB = 'signed-in';

/**
 * Closes a tab that was opened only to sign in again. If the browser refuses, or opened the link in the same tab, the
 * page shows as usual, with its drafts.
 */
export function closeSignInTab(): void {
  if (window.location.hash !== `#${SIGN_IN_TAB}`) return;
  window.close();
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${search}`);
}
