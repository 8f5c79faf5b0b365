import { crc32 } from 'node:zlib';

/** PNG colour types. */
export const RGBA = 6;
export const PALETTE = 3;

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Encodes a chunk with its length and checksum. */
export function pngChunk(name: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(name), 4);
  chunk.set(data, 8);
  view.setUint32(data.length + 8, crc32(chunk.subarray(4, data.length + 8)));
  return chunk;
}

/** Encodes a PNG file of these chunks. */
export function encodeChunks(
  chunks: readonly (readonly [name: string, data: Uint8Array])[],
): Uint8Array<ArrayBuffer> {
  return joinBytes([PNG_SIGNATURE, ...chunks.map(([name, data]) => pngChunk(name, data))]);
}

/** Encodes the data of an IHDR chunk. */
export function encodeHeader({
  width = 1200,
  height = 675,
  depth = 8,
  colour = 0,
  interlace = 0,
  compression = 0,
  filter = 0,
} = {}): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data.set([depth, colour, compression, filter, interlace], 8);
  return data;
}

export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    await new Response(
      new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate')),
    ).arrayBuffer(),
  );
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
