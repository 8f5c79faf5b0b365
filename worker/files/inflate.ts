import { inflateSync } from 'node:zlib';

/** Inflates a zlib stream that comes in parts; `null` for what is no whole zlib stream, is followed by something, or comes to more than `maxLength` bytes. */
export function inflateAtMost(parts: readonly Uint8Array[], maxLength: number): Uint8Array | null {
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    packed.set(part, at);
    at += part.length;
  }
  try {
    // Not DecompressionStream: workerd's inflates all that it is given before anybody has read, and a bomb whole.
    const { buffer, engine } = inflateSync(packed, { maxOutputLength: maxLength, info: true });
    return engine.bytesWritten === packed.length ? buffer : null;
  } catch {
    return null;
  }
}
