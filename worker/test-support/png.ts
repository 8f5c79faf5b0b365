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
