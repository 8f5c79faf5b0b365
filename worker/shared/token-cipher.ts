import { fromBase64, toBase64 } from './base64.ts';

const ALGORITHM = 'AES-GCM';
const IV_BYTES = 12;

export type TokenCipher = ReturnType<typeof createTokenCipher>;

/**
 * Encrypts tokens and secrets for the database. A ciphertext can be decrypted only with its owner's id.
 * AES-256-GCM with a random IV; the owner's id is authenticated, too. `key` is 32 bytes in base64.
 */
export function createTokenCipher(key: string) {
  let imported: CryptoKey | undefined;
  const importKey = async () =>
    (imported ??= await crypto.subtle.importKey('raw', fromBase64(key), ALGORITHM, false, [
      'encrypt',
      'decrypt',
    ]));
  const parameters = (iv: Uint8Array<ArrayBuffer>, ownerId: string) => ({
    name: ALGORITHM,
    iv,
    additionalData: new TextEncoder().encode(ownerId),
  });
  return {
    async encrypt(token: string, ownerId: string): Promise<string> {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = await crypto.subtle.encrypt(
        parameters(iv, ownerId),
        await importKey(),
        new TextEncoder().encode(token),
      );
      return toBase64(Uint8Array.of(...iv, ...new Uint8Array(sealed)));
    },
    /** @returns `null` if the ciphertext was changed, or encrypted with another key or for another owner */
    async decrypt(ciphertext: string, ownerId: string): Promise<string | null> {
      try {
        const bytes = fromBase64(ciphertext);
        const opened = await crypto.subtle.decrypt(
          parameters(bytes.slice(0, IV_BYTES), ownerId),
          await importKey(),
          bytes.slice(IV_BYTES),
        );
        return new TextDecoder().decode(opened);
      } catch {
        return null;
      }
    },
  };
}
