/** A new primary key: 128 random bits as a UUID. */
export function createId(): string {
  return crypto.randomUUID();
}

const UINT32_VALUES = 2 ** 32;

/** A cryptographically random number in [0, 1). */
export function secureRandom(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / UINT32_VALUES;
}
