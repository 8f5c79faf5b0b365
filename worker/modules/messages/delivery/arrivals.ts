/** New events since the last `reset`. They end a batch early, so that they are sent at once. */
export function createArrivals() {
  let next = Promise.withResolvers<void>();
  let hasAny = false;
  return {
    reset() {
      next = Promise.withResolvers();
      hasAny = false;
    },
    note() {
      hasAny = true;
      next.resolve();
    },
    hasAny: () => hasAny,
    /** Resolves with the first new event. */
    first: () => next.promise,
  };
}
