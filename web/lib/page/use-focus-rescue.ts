import { useEffect } from 'react';
import { focusHeading } from './focus-heading.ts';

/**
 * Focuses the page's heading when the focused element disappears, so that reading and tabbing continue on the
 * page. Open dialogs manage the focus themselves.
 */
export function useFocusRescue(): void {
  useEffect(() => {
    let focused: Element | null = null;
    const rescue = () => {
      if (focused === null || focused.isConnected) return;
      focused = null;
      // Wait, because an effect of the same update may set the focus.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && !document.querySelector('[role=dialog], [role=alertdialog]')) focusHeading();
      });
    };
    const observer = new MutationObserver(rescue);
    const remember = ({ target }: { readonly target: EventTarget | null }) => {
      focused = target instanceof Element && target !== document.body ? target : null;
      observer.disconnect();
      // Watching only the ancestors is cheaper than watching everything below the body.
      for (let node = focused?.parentNode; node; node = node.parentNode) {
        observer.observe(node, { childList: true });
      }
    };
    // Some browsers also fire this event shortly before they remove an element, so check again afterwards.
    const forget = ({ target }: FocusEvent) => {
      queueMicrotask(() => {
        if (target === focused && focused?.isConnected) focused = null;
      });
    };
    remember({ target: document.activeElement });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
    };
  }, []);
}
