/** For small inputs. Large ones exceed the argument limit of `String.fromCharCode`. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
