/**
 * Encodes small inputs, such as a signature. Large inputs exceed the argument limit of `String.fromCharCode`.
 */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
