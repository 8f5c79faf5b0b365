import { useEffect } from 'react';

/**
 * The server renders pages for visitors. If somebody has signed in in this browser before, public/early.js hides the
 * parts with `data-personal`, such as Subscribe buttons. This shows them, once they are right for the user.
 */
export function useSettled(isSettled: boolean): void {
  useEffect(() => {
    if (isSettled) delete document.documentElement.dataset['unsettled'];
  }, [isSettled]);
}
