import { vi } from 'vitest';

/** Replaces IntersectionObserver. Nothing is in view until `enter` is called, then everything is. */
export function stubIntersection(): { enter: () => void } {
  const watched = new Map<IntersectionObserverCallback, Set<Element>>();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #notify: IntersectionObserverCallback;
      constructor(notify: IntersectionObserverCallback) {
        this.#notify = notify;
        watched.set(notify, new Set());
      }
      observe(element: Element) {
        watched.get(this.#notify)?.add(element);
      }
      disconnect() {
        watched.delete(this.#notify);
      }
    },
  );
  return {
    enter() {
      for (const [notify, elements] of watched) {
        notify(
          [...elements].map((target) => ({ target, isIntersecting: true }) as IntersectionObserverEntry),
          {} as IntersectionObserver,
        );
      }
    },
  };
}
