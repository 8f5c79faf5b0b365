import { inflateAtMost } from '../files/inflate.ts';
import type { Picture } from '../ports/picture-source.ts';

/** A picture may be so wide and so high, by its own header: X's are 400×400, and more would be inflated for nothing. */
export const MAX_PICTURE_SIDE = 512;
/** Bits a sample: of 16 a disc shows 8. */
const PNG_DEPTH = 8;
/** The most samples that a pixel has: red, green, blue and how opaque it is. */
const MAX_SAMPLES = 4;
/** How often an interlaced PNG goes over its pixels. */
const PASSES = 7;
/** A progressive JPEG has about ten passes over all its pixels; one of thousands keeps a decoder busy for minutes. */
const MAX_SCANS = 32;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** What draws a PNG. Texts, colour profiles and animations are left out: they can be compressed to inflate without end. */
const DRAWING_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/**
 * Reads a PNG or JPEG by its bytes, whatever it calls itself: complete, of one picture, and of a size that may be inflated;
 * a PNG's pixels are, no further than its size allows.
 * @returns it with nothing in it but what draws it; `null` for anything else.
 */
export function readPicture(bytes: Uint8Array<ArrayBuffer>): Picture | null {
  if (PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return readPng(bytes);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? readJpeg(bytes) : null;
}

function readPng(bytes: Uint8Array<ArrayBuffer>): Picture | null {
  const view = viewOf(bytes);
  const kept: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, 8)];
  const packed: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    // The header comes first and once.
    if ((name === 'IHDR') !== (at === 8)) return null;
    if (name === 'IHDR' && (length !== 13 || bytes[24] !== PNG_DEPTH || !mayBeInflated(pngSize(view)))) {
      return null;
    }
    if (name === 'IDAT') packed.push(bytes.subarray(at + 8, end - 4));
    if (DRAWING_CHUNKS.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') {
      return inflateAtMost(packed, mostPixelBytes(pngSize(view))) === null
        ? null
        : { type: 'image/png', bytes: concatenate(kept) };
    }
    at = end;
  }
  return null;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function pngSize(view: DataView): Size {
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** How long the pixels of a PNG may be, inflated: each row begins with its filter, and interlacing makes two of one, and a few. */
function mostPixelBytes({ width, height }: Size): number {
  return MAX_SAMPLES * width * height + 2 * height + PASSES;
}

function readJpeg(bytes: Uint8Array<ArrayBuffer>): Picture | null {
  const view = viewOf(bytes);
  let frames = 0;
  let scans = 0;
  for (let at = 2; at + 4 <= bytes.length || bytes[at + 1] === END_OF_IMAGE;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === END_OF_IMAGE) {
      return frames === 1 && scans > 0 ? { type: 'image/jpeg', bytes: bytes.subarray(0, at + 2) } : null;
    }
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length || end < at + 4) return null;
    if (isFrame(marker)) {
      frames += 1;
      if (
        end < at + 11 ||
        frames > 1 ||
        !mayBeInflated({ width: view.getUint16(at + 7), height: view.getUint16(at + 5) })
      ) {
        return null;
      }
    }
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > MAX_SCANS) return null;
    at = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
  }
  return null;
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc];

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker);
}

/** Where the next marker begins after compressed pixels, in which only stuffed bytes and restarts follow an FF. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function mayBeInflated({ width, height }: Size): boolean {
  return width > 0 && height > 0 && width <= MAX_PICTURE_SIDE && height <= MAX_PICTURE_SIDE;
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
