import { useEffect, useState } from 'react';

/**
 * The server renders pages for visitors. If somebody has signed in in this browser before, public/early.js hides the
 * parts with `data-personal`, such as Subscribe buttons, on the first page. `showPersonalParts` shows them again.
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

/** Shows the personal parts of every page but the first, because the browser renders the others for the user. */
export function useReadyAfterFirstPage(path: string | undefined): void {
  const [first] = useState(path);
  useSettled(path !== first);
}
