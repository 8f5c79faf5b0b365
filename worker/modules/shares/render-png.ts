import { fontFiles } from './card-fonts.ts';

/** Rasterises an SVG at its own size into a PNG. The rasteriser is WebAssembly, loaded with the first picture. */
export async function renderPng(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const { Resvg } = await import('@cf-wasm/resvg');
  const fontBuffers = fontFiles.map((file) => new Uint8Array(file));
  const resvg = await Resvg.async(svg, { font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Geist' } });
  const image = resvg.render();
  try {
    return new Uint8Array(image.asPng());
  } finally {
    // WebAssembly's memory is not collected.
    image.free();
    resvg.free();
  }
}
