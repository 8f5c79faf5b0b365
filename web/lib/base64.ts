/** Writes bytes as base64. For what is small: a signature, a message, a transaction. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
