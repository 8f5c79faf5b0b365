import { crc32 } from 'node:zlib';

/** Pixels are RGBA, four bytes each. */
export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** PNG colour types. */
export const RGBA = 6;
export const PALETTE = 3;

/** Decodes a PNG with 8 bits per channel, in RGBA or with a palette, not interlaced. */
export async function decodePng(bytes: Uint8Array<ArrayBuffer>): Promise<DecodedPng> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const kind = bytes[25];
  if (bytes[24] !== 8 || (kind !== RGBA && kind !== PALETTE) || bytes[28] !== 0) {
    throw new Error('Unsupported kind of PNG');
  }
  const data: Uint8Array<ArrayBuffer>[] = [];
  let palette = new Uint8Array();
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (name === 'PLTE') palette = bytes.slice(at + 8, at + 8 + view.getUint32(at));
    if (name === 'IDAT') data.push(bytes.slice(at + 8, at + 8 + view.getUint32(at)));
  }
  const raw = new Uint8Array(
    await new Response(new Blob(data).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer(),
  );
  if (kind === RGBA) return { width, height, pixels: unfilter(raw, { width, height, channels: 4 }) };
  const pixels = new Uint8Array(4 * width * height).fill(255);
  unfilter(raw, { width, height, channels: 1 }).forEach((index, at) => {
    for (let channel = 0; channel < 3; channel += 1) {
      pixels[4 * at + channel] = palette[3 * index + channel] ?? 0;
    }
  });
  return { width, height, pixels };
}

function unfilter(
  raw: Uint8Array,
  { width, height, channels }: { width: number; height: number; channels: number },
): Uint8Array {
  const stride = width * channels;
  if (raw.length !== (stride + 1) * height) throw new Error('The number of pixels is wrong');
  const pixels = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : (pixels[row * stride + x - channels] ?? 0);
      const up = row === 0 ? 0 : (pixels[(row - 1) * stride + x] ?? 0);
      const corner = x < channels || row === 0 ? 0 : (pixels[(row - 1) * stride + x - channels] ?? 0);
      pixels[row * stride + x] =
        ((raw[row * (stride + 1) + 1 + x] ?? 0) + predict(filter, { left, up, corner })) & 0xff;
    }
  }
  return pixels;
}

function predict(filter: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const a = Math.abs(estimate - left);
  const b = Math.abs(estimate - up);
  const c = Math.abs(estimate - corner);
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

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
