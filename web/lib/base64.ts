/**
 * Only for small inputs, such as a signature, because larger ones exceed the argument limit of
 * `String.fromCharCode`.
 */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
