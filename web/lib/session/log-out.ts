import { dropAllDrafts } from './drop-drafts.ts';
import { pageStorage } from '../browser/page-storage.ts';

const LOGGED_OUT_KEY = 'solcallers.logged-out';

/** Deletes drafts and notifies the other tabs. Call it when the user clicks the log-out link. */
export function prepareLogOut(): void {
  abandonPage();
  pageStorage.setItem(LOGGED_OUT_KEY, new Date().toISOString());
}

/**
 * Leaves this page when another tab logs out, because the page may show private data. Doesn't log out again
 * itself: a background tab may get the message late, when the user has already signed in again.
 * @returns a function that removes the listener
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

function abandonPage(): void {
  dropAllDrafts();
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.replace('/'));
}
