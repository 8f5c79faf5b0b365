import { vi } from 'vitest';

/** Replaces IntersectionObserver with one that only records the elements that each observer watches. */
function stubObserver(): ReadonlyMap<IntersectionObserverCallback, ReadonlySet<Element>> {
  const watched = new Map<IntersectionObserverCallback, Set<Element>>();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #notify: IntersectionObserverCallback;
      constructor(notify: IntersectionObserverCallback) {
        this.#notify = notify;
        watched.set(notify, new Set());
      }
      observe = (element: Element) => watched.get(this.#notify)?.add(element);
      unobserve = (element: Element) => watched.get(this.#notify)?.delete(element);
      disconnect = () => watched.delete(this.#notify);
    },
  );
  return watched;
}

type Seen = readonly [element: Element | undefined, isNear: boolean, height?: number];

/** Replaces IntersectionObserver. `report` tells the observers of these elements whether they are near the window. */
export function stubNearness(): { report: (seen: readonly Seen[]) => void } {
  const watched = stubObserver();
  return {
    report(seen) {
      for (const [notify, elements] of watched) {
        const entries = seen.flatMap(([target, isIntersecting, height = 300]) =>
          target !== undefined && elements.has(target)
            ? [{ target, isIntersecting, boundingClientRect: { height } } as IntersectionObserverEntry]
            : [],
        );
        if (entries.length > 0) notify(entries, {} as IntersectionObserver);
      }
    },
  };
}
