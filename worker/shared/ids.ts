/** A new primary key: 128 random bits as a UUID. */
export function createId(): string {
  return crypto.randomUUID();
}

const UINT32_VALUES = 2 ** 32;

/** From 0 to 1, without 1; nobody can guess it. */
export function secureRandom(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / UINT32_VALUES;
}
