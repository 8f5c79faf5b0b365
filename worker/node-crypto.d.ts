/* The part of workerd's node:crypto in use. @types/node would add Node's globals, which workerd lacks. */
declare module 'node:crypto' {
  interface Hash {
    update(data: string | Uint8Array): Hash;
    update(data: string, encoding: 'base64'): Hash;
    digest(encoding: 'base64' | 'hex'): string;
  }

  interface Hmac {
    update(data: string): Hmac;
    digest(encoding: 'base64' | 'hex'): string;
  }

  export function createHash(algorithm: 'sha256'): Hash;
  export function createHmac(algorithm: 'sha256', key: Uint8Array): Hmac;
}
