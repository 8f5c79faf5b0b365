import { useEffect, useState } from 'react';

/**
 * Shows the elements with `data-personal`, such as Subscribe buttons. The server renders pages for visitors,
 * so public/early.js hides these elements on the first page if a user has signed in in this browser before.
 */
export function showPersonalParts(): void {
  delete document.documentElement.dataset['unsettled'];
}

/** Shows the personal parts of the first page once they are right for the user. */
export function useSettled(isSettled: boolean): void {
  useEffect(() => {
    if (isSettled) showPersonalParts();
  }, [isSettled]);
}

/** Shows the personal parts of all pages except the first, because the browser renders those for the user. */
export function useReadyAfterFirstPage(path: string | undefined): void {
  const [first] = useState(path);
  useSettled(path !== first);
}
