/* The part of workerd's node:crypto in use. @types/node would add Node's globals, which workerd lacks. */
declare module 'node:crypto' {
  interface Hash {
    update(data: string | Uint8Array): Hash;
    update(data: string, encoding: 'base64'): Hash;
    digest(encoding: 'base64'): string;
  }

  export function createHash(algorithm: 'sha256'): Hash;
}
