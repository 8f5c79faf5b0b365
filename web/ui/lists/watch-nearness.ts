/** An element is near if it is at most this far outside of the window. */
const MARGIN = '50% 0px';

export interface NearnessOptions {
  /** Calls back with the numbers of the elements that are near the window or have the focus. */
  readonly onChange: (near: ReadonlySet<number>) => void;
  /** Calls back with an element's height in px, before `onChange`. */
  readonly onHeight: (number: number, element: Element, height: number) => void;
}

export interface NearnessWatch {
  readonly add: (number: number, element: Element) => void;
  readonly remove: (element: Element) => void;
  readonly stop: () => void;
}

/** Watches which of the numbered elements are near the window. */
export function watchNearness({ onChange, onHeight }: NearnessOptions): NearnessWatch {
  const numbers = new Map<Element, number>();
  const near = new Set<number>();
  const update = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const number = numbers.get(target);
      if (number === undefined) continue;
      if (isIntersecting) near.add(number);
      else near.delete(number);
      onHeight(number, target, boundingClientRect.height);
    }
    const focused = [...numbers].find(([element]) => element.contains(document.activeElement));
    onChange(new Set(focused === undefined ? near : [...near, focused[1]]));
  };
  const observer = new IntersectionObserver(update, { rootMargin: MARGIN });
  return {
    add(number, element) {
      numbers.set(element, number);
      observer.observe(element);
    },
    remove(element) {
      numbers.delete(element);
      observer.unobserve(element);
    },
    stop: () => observer.disconnect(),
  };
}
