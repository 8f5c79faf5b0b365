/** A new primary key: 128 random bits as a UUID. */
export function createId(): string {
  return crypto.randomUUID();
}
