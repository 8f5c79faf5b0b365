import { Resvg } from '@cf-wasm/resvg';

/** @param fontBuffers the fonts of the drawing's texts. The first one has to be Geist. */
export async function renderSvg(
  svg: string,
  fontBuffers: Uint8Array[] = [],
): Promise<Uint8Array<ArrayBuffer>> {
  const font = { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Geist' };
  const resvg = await Resvg.async(svg, { font });
  const image = resvg.render();
  const png = new Uint8Array(image.asPng());
  image.free();
  resvg.free();
  return png;
}
