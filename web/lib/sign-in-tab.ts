/** URL fragment that marks a tab opened only to sign in again. The tab has it after the sign-in. */
export const SIGN_IN_TAB = 'signed-in';

/** Closes a tab that was opened only to sign in again, unless the browser refuses. */
export function closeSignInTab(): void {
  if (window.location.hash === `#${SIGN_IN_TAB}`) window.close();
}
