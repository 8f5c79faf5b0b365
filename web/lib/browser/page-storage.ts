export interface PageStorage {
  readonly keys: () => readonly string[];
  readonly getItem: (key: string) => string | null;
  /** Null removes the value. */
  readonly setItem: (key: string, value: string | null) => void;
}

/** Storage that never throws. What the browser doesn't store, such as in a private window, lasts until the page is left. */
export function createPageStorage(open: () => Storage): PageStorage {
  const memory = new Map<string, string>();
  return {
    keys: () => [...new Set([...memory.keys(), ...(attempt(() => Object.keys(open())) ?? [])])],
    getItem: (key) => memory.get(key) ?? attempt(() => open().getItem(key)) ?? null,
    setItem(key, value) {
      const wasInMemory = memory.delete(key);
      const isStored = attempt(() => {
        if (value !== null) open().setItem(key, value);
        return value !== null;
      });
      if (isStored) return;
      // If the value was only in memory, what is stored is from another tab.
      if (!wasInMemory) attempt(() => open().removeItem(key));
      if (value !== null) memory.set(key, value);
    },
  };
}

/** Opened on each use, because reading the property throws if storage is blocked. */
export const pageStorage = createPageStorage(() => window.localStorage);
export const tabStorage = createPageStorage(() => window.sessionStorage);

/** Returns the action's result, or undefined if it throws. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
