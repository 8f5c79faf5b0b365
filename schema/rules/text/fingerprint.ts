const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** A short text that differs for different texts (FNV-1a, 64 bits). It keeps nothing secret. */
export function fingerprint(text: string): string {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * PRIME);
  }
  return hash.toString(36);
}
