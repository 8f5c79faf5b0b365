import { useRouter, type AnyRouter, type RouterHistory } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Marks the extra history entry for an open dialog. It has the same URL as the page. */
    dialog?: true;
  }
}

/** Calls `onBack` if the user presses Back while this dialog is open and no other dialog is above it. */
export function useCloseOnBack(isOpen: boolean, onBack: () => void): void {
  const router = useRouter();
  const close = useEffectEvent(onBack);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    return historyOf(router).add(() => close());
  }, [isOpen, router]);
}

const histories = new WeakMap<AnyRouter, ReturnType<typeof createDialogHistory>>();

function historyOf(router: AnyRouter) {
  const known = histories.get(router);
  if (known) return known;
  const created = createDialogHistory(router);
  histories.set(router, created);
  return created;
}

/**
 * While a dialog is open, there is one marked history entry on top of the page's own entry. Back leaves the
 * marked entry and closes the dialog. If the dialog closes in another way, this code goes back once. Forward
 * then shows the page without a dialog.
 */
function createDialogHistory(router: AnyRouter) {
  const history: RouterHistory = router.history;
  const openDialogs: (() => void)[] = [];
  /** True if this code went back and the browser hasn't arrived yet. */
  let isLeaving = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isMarked = () => history.location.state.dialog === true;

  const leave = () => {
    isLeaving = true;
    history.back();
  };

  const update = () => {
    if (isLeaving) return;
    if (openDialogs.length === 0 && isMarked()) leave();
    if (openDialogs.length > 0 && !isMarked()) {
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        state: (before) => ({ ...before, dialog: true }),
        resetScroll: false,
        hashScrollIntoView: false,
      });
    }
  };

  // Wait for the end of the event, because a link in a dialog closes it and navigates, and one dialog may
  // open as another closes.
  const updateSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(update);
  };

  history.subscribe(({ action: { type } }) => {
    if (type === 'PUSH') isLeaving = false;
    if (type === 'PUSH' || type === 'REPLACE') return;
    if (isLeaving) {
      isLeaving = false;
      updateSoon();
    } else if (isMarked()) {
      // The user went back from a page that was opened from a dialog. Skip the history entry of that dialog.
      if (type === 'BACK' && openDialogs.length === 0) leave();
    } else {
      openDialogs.at(-1)?.();
    }
  });

  return {
    add(close: () => void): () => void {
      openDialogs.push(close);
      updateSoon();
      return () => {
        openDialogs.splice(openDialogs.indexOf(close), 1);
        updateSoon();
      };
    },
  };
}
