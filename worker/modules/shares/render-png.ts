import type { Picture } from '../../ports/picture-source.ts';
import { embedPicture } from './card-drawing.ts';
import { fontFiles } from './card-fonts.ts';

/**
 * Rasterises an SVG at its own size into a PNG. The rasteriser is WebAssembly without a way out: of what an SVG names it
 * draws only what is in it. It is loaded with the first picture.
 */
export async function renderPng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  return render(svg, (image) => new Uint8Array(image.asPng()));
}

/** Whether the rasteriser can draw a picture, and would draw anything: a damaged one leaves a hole in a card. */
export async function canDraw(picture: Picture): Promise<boolean> {
  const size = 16;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${embedPicture(picture, { x: 0, y: 0, size })}</svg>`;
  try {
    return await render(svg, ({ pixels }) => pixels.some((value) => value > 0));
  } catch {
    return false;
  }
}

/** The rasterised image as it lies in the rasteriser's memory: copy what is to stay. */
interface Raster {
  asPng(): Uint8Array;
  readonly pixels: Uint8Array;
}

async function render<Result>(svg: string, read: (image: Raster) => Result): Promise<Result> {
  const { Resvg } = await import('@cf-wasm/resvg');
  const fontBuffers = fontFiles.map((file) => new Uint8Array(file));
  const resvg = await Resvg.async(svg, {
    font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Geist' },
  });
  const image = resvg.render();
  try {
    return read(image);
  } finally {
    // WebAssembly's memory is not collected.
    image.free();
    resvg.free();
  }
}
