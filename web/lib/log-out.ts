import { dropAllDrafts } from './drafts.ts';
import { attempt } from './page-storage.ts';

const LOGGED_OUT_KEY = 'solcallers.logged-out';

/** Call it when the user follows the link to log out: forgets drafts and tells the other tabs. */
export function prepareLogOut(): void {
  abandonPage();
  attempt(() => localStorage.setItem(LOGGED_OUT_KEY, new Date().toISOString()));
}

/**
 * Leaves this page when another tab logs out, so that it doesn't go on showing what only the user may see. It doesn't
 * log out itself, because a tab in the background may hear of it only after the user has signed in again. Returns a
 * function that stops this.
 */
export function followLogOut(): () => void {
  const handleStorage = ({ key }: StorageEvent) => {
    if (key !== LOGGED_OUT_KEY) return;
    abandonPage();
    window.location.assign('/');
  };
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}

/** Forgets drafts. Back must not show this page again, although browsers keep left pages in memory. */
function abandonPage(): void {
  dropAllDrafts();
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.replace('/'));
}
