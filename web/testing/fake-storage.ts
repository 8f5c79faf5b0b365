/** A browser's storage. */
export function fakeStorage(initial: Record<string, string> = {}) {
  const values = new Map(Object.entries(initial));
  return {
    values,
    keys: () => [...values.keys()],
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string | null) =>
      void (value === null ? values.delete(key) : values.set(key, value)),
  };
}

/** Opens the storage of a browser that blocks it. */
export const blockedStorage = (): never => {
  throw new Error('blocked');
};
