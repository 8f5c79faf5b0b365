import { useLayoutEffect, useSyncExternalStore } from 'react';
import { DAY_MS, MINUTE_MS } from '#schema/constants.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function renew(): void {
  now = Date.now();
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(renew, MINUTE_MS / 2);
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

/** The same, and renewed just after one moment (unix ms) too: for what must not be said a half minute longer than it is true. */
export function useNowPast(moment: number): number {
  const now = useNow();
  useLayoutEffect(() => {
    const wait = moment - Date.now();
    if (wait < 0) {
      if (now <= moment) renew();
      return undefined;
    }
    // What is further away than timers count comes with one of the half minutes.
    if (!(wait < DAY_MS)) return undefined;
    const alarm = setTimeout(renew, wait + 1);
    return () => clearTimeout(alarm);
  }, [moment, now]);
  return now;
}
