import type { Image, ImageType } from '../ports/image.ts';
import { textAt, viewOf } from './bytes.ts';
import { isAcceptedSize, pngSize, readJpeg, type Size } from './avatar-file.ts';

type ReadSize = (bytes: Uint8Array<ArrayBuffer>) => Size | null;

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
const IHDR_AT = 12;

/**
 * Recognises an image's format by its bytes. Returns null for other formats, such as SVG, and for an image with a side
 * over `maxSide` px. Reads the size from the header without decoding the pixels. The header is enough, because a
 * browser allocates memory by its size.
 */
export function readImage(bytes: Uint8Array<ArrayBuffer>, maxSide: number): Image | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes, maxSide);
  for (const [type, readSize] of FORMATS) {
    const size = readSize(bytes);
    if (size !== null) return isAcceptedSize(size, maxSide) ? { type, bytes } : null;
  }
  return null;
}

const FORMATS: readonly (readonly [ImageType, ReadSize])[] = [
  ['image/png', readPngSize],
  ['image/gif', readGifSize],
  ['image/webp', readWebpSize],
];

function readPngSize(bytes: Uint8Array<ArrayBuffer>): Size | null {
  if (textAt(bytes, 0, 8) !== PNG_SIGNATURE || textAt(bytes, IHDR_AT, 4) !== 'IHDR') return null;
  return bytes.length < 33 ? null : pngSize(viewOf(bytes));
}

const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;

/** The largest width and height of canvas and frames, because browsers enlarge the canvas to fit a frame. */
function readGifSize(bytes: Uint8Array<ArrayBuffer>): Size | null {
  if (!/^GIF8[79]a$/.test(textAt(bytes, 0, 6)) || bytes.length < 13) return null;
  const view = viewOf(bytes);
  let width = view.getUint16(6, true);
  let height = view.getUint16(8, true);
  let at = 13 + colourTableBytes(bytes[10]);
  while (at + 10 <= bytes.length && bytes[at] !== TRAILER) {
    if (bytes[at] === EXTENSION) {
      at = endOfBlocks(bytes, at + 2);
    } else if (bytes[at] === FRAME) {
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at = endOfBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9]));
    } else {
      return null;
    }
  }
  return { width, height };
}

function colourTableBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** The offset after a list of blocks, each of which starts with its length. An empty block ends the list. */
function endOfBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

function readWebpSize(bytes: Uint8Array<ArrayBuffer>): Size | null {
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP' || bytes.length < 30) return null;
  const view = viewOf(bytes);
  switch (textAt(bytes, 12, 4)) {
    case 'VP8X':
      return { width: 1 + readUint24(view, 24), height: 1 + readUint24(view, 27) };
    case 'VP8L': {
      const packed = view.getUint32(21, true);
      return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return null;
  }
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + 0x10000 * view.getUint8(at + 2);
}
