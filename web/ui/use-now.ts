import { useSyncExternalStore } from 'react';
import { MINUTE_MS } from '#schema/constants.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, MINUTE_MS / 2);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function currentMoment(): number {
  // Nobody is listening: what was read before may be long ago.
  if (timer === undefined) now = Date.now();
  return now;
}

/** The current time in unix ms, renewed every half minute by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, currentMoment);
}
