const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** Returns a short, non-cryptographic hash of a text (FNV-1a, 64 bits). */
export function fingerprint(text: string): string {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * PRIME);
  }
  return hash.toString(36);
}
