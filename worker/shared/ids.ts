export function createId(): string {
  return crypto.randomUUID();
}

const UINT32_VALUES = 2 ** 32;

export function secureRandom(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / UINT32_VALUES;
}
