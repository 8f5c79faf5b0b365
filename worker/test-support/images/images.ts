import { joinBytes } from './png.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const little = (length: number, number: number) =>
  Uint8Array.from({ length }, (_, at) => Math.floor(number / 256 ** at) % 256);

/** A GIF whose only frame may be larger than its canvas. */
export function encodeGif({ width, height }: Size, frame: Size = { width, height }): Uint8Array<ArrayBuffer> {
  return joinBytes([
    ascii('GIF89a'),
    little(2, width),
    little(2, height),
    Uint8Array.of(0x80, 0, 0, 0, 0, 0, 255, 255, 255),
    Uint8Array.of(0x21, 0xf9, 4, 0, 0, 0, 0, 0),
    Uint8Array.of(0x2c),
    little(4, 0),
    little(2, frame.width),
    little(2, frame.height),
    Uint8Array.of(0, 2, 2, 0x44, 1, 0, 0x3b),
  ]);
}

const riff = (type: string, data: Uint8Array) =>
  joinBytes([
    ascii('RIFF'),
    little(4, data.length + 12),
    ascii(`WEBP${type}`),
    little(4, data.length),
    data,
    new Uint8Array(8),
  ]);

export const encodeWebp = {
  lossy: ({ width, height }: Size) =>
    riff('VP8 ', joinBytes([Uint8Array.of(0x30, 1, 0, 0x9d, 1, 0x2a), little(2, width), little(2, height)])),
  lossless: ({ width, height }: Size) =>
    riff('VP8L', joinBytes([Uint8Array.of(0x2f), little(4, width - 1 + (height - 1) * 0x4000)])),
  animated: ({ width, height }: Size) =>
    riff('VP8X', joinBytes([Uint8Array.of(2, 0, 0, 0), little(3, width - 1), little(3, height - 1)])),
};
