import { expect, it } from 'vitest';
import { encodeGif, encodeWebp } from '#test/images/images.ts';
import { encodeJpeg, encodePng, jpegPortrait, pngPortrait } from '#test/images/avatars.ts';
import { readImage } from './image-file.ts';

const MAX = 2_048;
const typeOf = (bytes: Uint8Array<ArrayBuffer>) => readImage(bytes, MAX)?.type ?? null;
const text = (source: string) => Uint8Array.from(source, (character) => character.charCodeAt(0));

const formats = [
  ['image/png', encodePng],
  ['image/jpeg', encodeJpeg],
  ['image/gif', encodeGif],
  ['image/webp', encodeWebp.lossy],
  ['image/webp', encodeWebp.lossless],
  ['image/webp', encodeWebp.animated],
] as const;

it.each(formats)(
  'readImage recognises %s by the file’s bytes, up to the size limit',
  async (type, encode) => {
    for (const [width, height, found] of [
      [1, 1, type],
      [64, 48, type],
      [MAX, MAX, type],
      [MAX + 1, 1, null],
      [1, MAX + 1, null],
      [16_383, 16_383, null],
    ] as const) {
      expect(typeOf(await encode({ width, height })), `${width}×${height}`).toBe(found);
    }
  },
);

it('readImage returns the bytes of a real image unchanged', () => {
  expect(readImage(pngPortrait, MAX)?.bytes).toEqual(pngPortrait);
  expect(readImage(jpegPortrait, MAX)?.bytes).toEqual(jpegPortrait);
});

it('readImage refuses an image if a frame is too large', () => {
  const small = { width: 32, height: 32 };
  const large = { width: 60_000, height: 60_000 };
  expect(typeOf(encodeGif(small, large))).toBe(null);
});

it.each([
  ['an empty file', ''],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['an SVG with an XML header', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['an HTML page', '<!doctype html><script>alert(1)</script>'],
  ['a script', 'alert(1)'],
  ['a PDF', '%PDF-1.7'],
  ['a bitmap', 'BM\0\0\0\0\0\0\0\0\0\0\0\0'],
  ['a video', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
  ['only the signature of a GIF', 'GIF89a'],
])('readImage refuses %s', (_name, source) => {
  expect(typeOf(text(source))).toBe(null);
});

it('readImage never throws, even if the file is truncated or a byte is wrong', async () => {
  for (const [, encode] of formats) {
    const whole = await encode({ width: 8, height: 8 });
    for (let length = 0; length < Math.min(whole.length, 200); length += 1) {
      expect(() => readImage(whole.slice(0, length), MAX)).not.toThrow();
    }
    for (let at = 0; at < Math.min(whole.length, 200); at += 1) {
      expect(() =>
        readImage(
          whole.map((byte, index) => (index === at ? byte ^ 0xff : byte)),
          MAX,
        ),
      ).not.toThrow();
    }
  }
});
