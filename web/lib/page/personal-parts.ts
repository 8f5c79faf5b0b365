import { useEffect } from 'react';

/**
 * Shows the elements with `data-personal`, such as Subscribe buttons. The server renders pages for visitors,
 * so public/early.js hides these elements on the first page if a user may be signed in in this browser.
 */
export function showPersonalParts(): void {
  delete document.documentElement.dataset['unsettled'];
}

/** Shows the personal parts once they are right for the user. For pages that the server renders. */
export function useShowPersonalParts(areRight: boolean): void {
  useEffect(() => {
    if (areRight) showPersonalParts();
  }, [areRight]);
}
