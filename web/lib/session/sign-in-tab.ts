/** URL fragment of the page to which a sign-in returns in a tab that was opened only to sign in again. */
export const SIGN_IN_TAB = 'signed-in';

export function closeSignInTab(): void {
  if (window.location.hash === `#${SIGN_IN_TAB}`) window.close();
}
