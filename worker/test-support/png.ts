import { crc32 } from 'node:zlib';

/** A picture as its file says it, every pixel inflated: four bytes (RGBA) each. */
export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const RGBA = 6;

/** Really decodes a PNG of eight bits and four channels without interlacing: header, chunks, inflate, filters. */
export async function decodePng(bytes: Uint8Array<ArrayBuffer>): Promise<DecodedPng> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  if (bytes[24] !== 8 || bytes[25] !== RGBA || bytes[28] !== 0) throw new Error('Another kind of PNG');
  const data: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (name === 'IDAT') data.push(bytes.slice(at + 8, at + 8 + view.getUint32(at)));
  }
  const raw = new Uint8Array(await new Response(new Blob(data).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer());
  return { width, height, pixels: unfilter(raw, { width, height }) };
}

function unfilter(raw: Uint8Array, { width, height }: { width: number; height: number }): Uint8Array {
  const stride = width * 4;
  if (raw.length !== (stride + 1) * height) throw new Error('The pixels are not complete');
  const pixels = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x < 4 ? 0 : (pixels[row * stride + x - 4] ?? 0);
      const up = row === 0 ? 0 : (pixels[(row - 1) * stride + x] ?? 0);
      const corner = x < 4 || row === 0 ? 0 : (pixels[(row - 1) * stride + x - 4] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      pixels[row * stride + x] = ((raw[row * (stride + 1) + 1 + x] ?? 0) + predicted) & 0xff;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The file of these chunks, each with its length and checksum. */
export function encodeChunks(chunks: readonly (readonly [name: string, data: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  const parts = chunks.map(([name, data]) => {
    const chunk = new Uint8Array(data.length + 12);
    const view = new DataView(chunk.buffer);
    view.setUint32(0, data.length);
    chunk.set(new TextEncoder().encode(name), 4);
    chunk.set(data, 8);
    view.setUint32(data.length + 8, crc32(chunk.subarray(4, data.length + 8)));
    return chunk;
  });
  return joinBytes([new Uint8Array(SIGNATURE), ...parts]);
}

/** What an IHDR says. */
export function encodeHeader({ width = 1200, height = 675, depth = 8, colour = 0, interlace = 0, compression = 0, filter = 0 } = {}): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data.set([depth, colour, compression, filter, interlace], 8);
  return data;
}

export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer());
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
