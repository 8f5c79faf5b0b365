import type { Image } from '../../../ports/image.ts';
import { embedAvatar } from './card-drawing.ts';
import { fontFiles } from './card-fonts.ts';

/** Rasterises an SVG at its own size. resvg has no access to network or files. */
export async function renderPng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  return render(svg, (image) => new Uint8Array(image.asPng()));
}

/** Returns false for a damaged image, which resvg would leave blank. */
export async function canDraw(avatar: Image): Promise<boolean> {
  const size = 16;
  const image = embedAvatar(avatar, { x: 0, y: 0, size });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${image}</svg>`;
  try {
    return await render(svg, ({ pixels }) => pixels.some((value) => value > 0));
  } catch {
    return false;
  }
}

/** An image in WebAssembly memory. It is valid only during `read`. */
interface Raster {
  asPng(): Uint8Array;
  readonly pixels: Uint8Array;
}

async function render<Result>(svg: string, read: (image: Raster) => Result): Promise<Result> {
  // Import only when needed, because it is 0.95 MB of WebAssembly and most isolates never draw.
  const { Resvg } = await import('@cf-wasm/resvg');
  const fontBuffers = fontFiles.map((file) => new Uint8Array(file));
  const resvg = await Resvg.async(svg, {
    font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Geist' },
  });
  const image = resvg.render();
  try {
    return read(image);
  } finally {
    // WebAssembly memory is not garbage-collected.
    image.free();
    resvg.free();
  }
}
