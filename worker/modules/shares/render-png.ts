import type { Picture } from '../../ports/picture-source.ts';
import { embedPicture } from './card-drawing.ts';
import { fontFiles } from './card-fonts.ts';

/** Rasterises an SVG at its own size. resvg is built without network or file access. */
export async function renderPng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  return render(svg, (image) => new Uint8Array(image.asPng()));
}

/** False for a damaged picture, which the rasteriser leaves blank. */
export async function canDraw(picture: Picture): Promise<boolean> {
  const size = 16;
  const image = embedPicture(picture, { x: 0, y: 0, size });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${image}</svg>`;
  try {
    return await render(svg, ({ pixels }) => pixels.some((value) => value > 0));
  } catch {
    return false;
  }
}

/** The image in WebAssembly memory, valid only during `read`. */
interface Raster {
  asPng(): Uint8Array;
  readonly pixels: Uint8Array;
}

async function render<Result>(svg: string, read: (image: Raster) => Result): Promise<Result> {
  // 0.95 MB of WebAssembly: most isolates never draw.
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
