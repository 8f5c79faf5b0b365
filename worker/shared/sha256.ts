import { createHash } from 'node:crypto';

/** SHA-256 of the concatenated parts, in base64. Strings are hashed as UTF-8. */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64');
}
