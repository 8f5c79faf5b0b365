import { useCallback, type RefCallback, type RefObject } from 'react';

/**
 * Keeps an element at least as tall as it has ever been, until the window's size changes.
 * @param ref also receives the element, because an element can have only one ref callback
 */
export function useTallest(ref: RefObject<HTMLElement | null>, isOn: boolean): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      ref.current = element;
      if (element === null) return undefined;
      const reset = () => {
        element.style.minHeight = '';
      };
      reset();
      if (!isOn) return undefined;
      const save = () => {
        // Round down, because otherwise fractions of a pixel would make the element grow on each update.
        element.style.minHeight = `${Math.floor(element.getBoundingClientRect().height)}px`;
      };
      const observer = new ResizeObserver(save);
      observer.observe(element);
      window.addEventListener('resize', reset);
      return () => {
        ref.current = null;
        observer.disconnect();
        window.removeEventListener('resize', reset);
      };
    },
    [ref, isOn],
  );
}
