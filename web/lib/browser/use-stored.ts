import { useCallback, useSyncExternalStore } from 'react';
import type { PageStorage } from './page-storage.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Fires for changes by other tabs.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** A text in the browser's storage, the same in all components. Null on the server, and until one was stored. */
export function useStored(storage: PageStorage, key: string) {
  const value = useSyncExternalStore(
    subscribe,
    () => storage.getItem(key),
    () => null,
  );
  const store = useCallback(
    (next: string | null) => {
      storage.setItem(key, next);
      for (const listener of listeners) listener();
    },
    [storage, key],
  );
  return [value, store] as const;
}
