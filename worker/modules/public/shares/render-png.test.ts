import { expect, it, vi } from 'vitest';
import type { Image } from '../../../ports/image.ts';
import { encodePng, jpegPortrait, pngPortrait } from '#test/images/avatars.ts';
import { decodePng } from '#test/images/decode-png.ts';
import { drawCard, drawText, embedAvatar } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { canDraw, renderPng } from './render-png.ts';

const canvas = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">${content}</svg>`;
const inkOf = async (content: string) =>
  (await decodePng(await renderPng(canvas(content)))).pixels.some((value) => value !== 0);

it('the rasteriser draws an SVG', async () => {
  expect(await inkOf('<rect width="9" height="9"/>')).toBe(true);
  expect(await inkOf(embedAvatar({ type: 'image/png', bytes: pngPortrait }, { x: 0, y: 0, size: 40 }))).toBe(
    true,
  );
  expect(
    await inkOf(embedAvatar({ type: 'image/jpeg', bytes: jpegPortrait }, { x: 0, y: 0, size: 40 })),
  ).toBe(true);
});

it.each([
  '<image width="40" height="40" href="https://pictures.example/ada.png"/>',
  '<image width="40" height="40" xlink:href="http://127.0.0.1/ada.png"/>',
  '<image width="40" height="40" href="file:///etc/passwd"/>',
  '<image width="40" height="40" href="ada.png"/>',
  '<use href="https://pictures.example/all.svg#disc"/>',
  '<style>@import url("https://pictures.example/style.css");</style>',
  '<script>fetch("https://pictures.example/")</script>',
  '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
])('the rasteriser fetches and draws nothing from outside the SVG: %s', async (content) => {
  const requested = vi.spyOn(globalThis, 'fetch');
  expect(await inkOf(content).catch(() => false)).toBe(false);
  expect(requested).not.toHaveBeenCalled();
});

// A name, and its letters from left to right as a browser displays them. (The Unicode left-to-right
// override, U+202D, forces that order.)
it.each([
  ["ג'ון", "ןו'ג"],
  ['מוטי (בן 20)', '(20 ןב) יטומ'],
  ['Ada (לוי)', 'Ada (יול)'],
])('the rasteriser draws the letters of %s in the same order as a browser', async (name, visual) => {
  const pixelsOf = async (text: string) =>
    (
      await decodePng(
        await renderPng(
          drawCard([drawText(text, { x: 100, y: 200, size: 60, face: faces.semibold })], 'x.example'),
        ),
      )
    ).pixels;
  expect(await pixelsOf(name)).toEqual(await pixelsOf(`\u202D${visual}\u202C`));
});

it('canDraw is false for a damaged image', async () => {
  const isDrawable = (bytes: Uint8Array<ArrayBuffer>, type: Image['type'] = 'image/png') =>
    canDraw({ type, bytes });
  expect(await isDrawable(pngPortrait)).toBe(true);
  expect(await isDrawable(jpegPortrait, 'image/jpeg')).toBe(true);
  expect(await isDrawable(pngPortrait.map((byte, at) => (at > 60 && at < 90 ? 0 : byte)))).toBe(false);
  expect(await isDrawable(await encodePng({ width: 64, height: 64 }))).toBe(false);
  expect(await isDrawable(await encodePng({ width: 8, height: 8, colourAt: () => [9, 9, 9, 0] }))).toBe(
    false,
  );
  expect(await isDrawable(new Uint8Array(), 'image/jpeg')).toBe(false);
});
