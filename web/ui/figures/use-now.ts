import { useLayoutEffect, useSyncExternalStore } from 'react';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();
/** Time at which the server rendered the first page. */
let renderedAt = now;

function tick(): void {
  now = Date.now();
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, MINUTE_MS / 2);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function currentTime(): number {
  // Update `now` first, because it is outdated if no timer was running.
  if (timer === undefined) now = Date.now();
  return now;
}

/**
 * Sets the time (unix ms) that `useNow` returns on the server, and in the browser while it hydrates the
 * server's HTML.
 */
export function setRenderedAt(timestamp: number): void {
  renderedAt = timestamp;
}

/**
 * The current time in unix ms, updated every half minute by one timer for the whole page, and right after `deadline`, when a
 * state expires.
 */
export function useNow(deadline = Number.POSITIVE_INFINITY): number {
  const shown = useSyncExternalStore(subscribe, currentTime, () => renderedAt);
  useTickPast(deadline, shown);
  return shown;
}

/**
 * Returns the result of `read` for the current time (unix ms), and rerenders only when the result changes.
 * Also updates right after `timestamp`. Use it in long lists, because `useNow` rerenders right after
 * hydration and every half minute.
 */
export function useTimeDerivedValue<Value extends string | null>(
  read: (now: number) => Value,
  timestamp = Number.POSITIVE_INFINITY,
): Value {
  useTickPast(timestamp);
  return useSyncExternalStore(
    subscribe,
    () => read(currentTime()),
    () => read(renderedAt),
  );
}

/**
 * Updates the time right after `timestamp`, at once if the shown time (`shownAt`, or else `now`) isn't past
 * it yet.
 */
function useTickPast(timestamp: number, shownAt?: number): void {
  useLayoutEffect(() => {
    const wait = timestamp - Date.now();
    if (wait < 0) {
      if ((shownAt ?? now) <= timestamp) tick();
      return undefined;
    }
    // setTimeout can't handle very long waits. The half-minute timer covers those.
    if (!(wait < DAY_MS)) return undefined;
    const timeout = setTimeout(tick, wait + 1);
    return () => clearTimeout(timeout);
  }, [timestamp, shownAt]);
}
