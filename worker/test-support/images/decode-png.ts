import { Resvg } from '@cf-wasm/resvg';

/** Pixels are RGBA, four bytes each. */
export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Decodes a PNG by drawing it at its own size. */
export async function decodePng(bytes: Uint8Array<ArrayBuffer>): Promise<DecodedPng> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const href = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
  const size = `width="${width}" height="${height}"`;
  const resvg = await Resvg.async(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`,
  );
  const image = resvg.render();
  const pixels = image.pixels.slice();
  image.free();
  resvg.free();
  return { width, height, pixels };
}
