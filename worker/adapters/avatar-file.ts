import { inflateSync } from 'node:zlib';
import type { Image } from '../ports/image.ts';
import { concatenate, viewOf } from './bytes.ts';

/** In px. X's avatars are 400×400. */
export const MAX_AVATAR_SIDE = 512;
const PNG_BIT_DEPTH = 8;
const MAX_SAMPLES = 4;
const PASSES = 7;
/** A progressive JPEG has about ten scans of all its pixels. Thousands would keep a decoder busy for minutes. */
const MAX_SCANS = 32;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const CHUNK_FRAME_BYTES = 12;
const IHDR_BYTES = 13;
const BIT_DEPTH_OFFSET = 24;
/** All other chunks are dropped, because compressed texts and colour profiles can inflate without limit. */
const DRAWING_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Markers among the frame-header codes (C0–CF) that don't start a frame. */
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc];

/**
 * Removes the metadata of a complete PNG or JPEG. Returns `null` for any other file, and for an image that would
 * inflate beyond the limit.
 */
export function readAvatar(bytes: Uint8Array<ArrayBuffer>): Image | null {
  if (PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return readPng(bytes);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? readJpeg(bytes, MAX_AVATAR_SIDE) : null;
}

function readPng(bytes: Uint8Array<ArrayBuffer>): Image | null {
  const view = viewOf(bytes);
  const start = PNG_SIGNATURE.length;
  const saved: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, start)];
  const packed: Uint8Array[] = [];
  for (let at = start; at + CHUNK_FRAME_BYTES <= bytes.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + CHUNK_FRAME_BYTES + length;
    if (end > bytes.length) return null;
    const isHeader = type === 'IHDR';
    if (isHeader !== (at === start)) return null;
    if (isHeader && !isAcceptedHeader(view, length)) return null;
    if (type === 'IDAT') packed.push(bytes.subarray(at + 8, end - 4));
    if (DRAWING_CHUNKS.has(type)) saved.push(bytes.subarray(at, end));
    if (type === 'IEND') {
      const isSound = canInflate(concatenate(packed), maxPixelBytes(pngSize(view)));
      return isSound ? { type: 'image/png', bytes: concatenate(saved) } : null;
    }
    at = end;
  }
  return null;
}

function isAcceptedHeader(view: DataView, length: number): boolean {
  return (
    length === IHDR_BYTES &&
    view.getUint8(BIT_DEPTH_OFFSET) === PNG_BIT_DEPTH &&
    isAcceptedSize(pngSize(view), MAX_AVATAR_SIDE)
  );
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function pngSize(view: DataView): Size {
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/**
 * Upper bound of the inflated size, in bytes. Each row starts with a filter byte. Interlacing at most doubles
 * the number of rows and adds one row per pass.
 */
function maxPixelBytes({ width, height }: Size): number {
  return MAX_SAMPLES * width * height + 2 * height + PASSES;
}

function canInflate(packed: Uint8Array, maxBytes: number): boolean {
  try {
    // workerd's DecompressionStream inflates the whole input before the first read, so it can't stop a decompression
    // bomb.
    const { engine } = inflateSync(packed, { maxOutputLength: maxBytes, info: true });
    return engine.bytesWritten === packed.length;
  } catch {
    return false;
  }
}

export function readJpeg(bytes: Uint8Array<ArrayBuffer>, maxSide: number): Image | null {
  const view = viewOf(bytes);
  let frames = 0;
  let scans = 0;
  for (let at = 2; at + 4 <= bytes.length || bytes[at + 1] === END_OF_IMAGE;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === END_OF_IMAGE) {
      const isComplete = frames === 1 && scans > 0;
      return isComplete ? { type: 'image/jpeg', bytes: bytes.subarray(0, at + 2) } : null;
    }
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length || end < at + 4) return null;
    if (isFrame(marker)) {
      frames += 1;
      if (frames > 1 || end < at + 11 || !isAcceptedSize(frameSize(view, at), maxSide)) return null;
    }
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > MAX_SCANS) return null;
    at = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
  }
  return null;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker);
}

function frameSize(view: DataView, at: number): Size {
  return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
}

/**
 * Returns the offset of the first marker after the compressed pixels. Within the pixels, an FF byte is
 * followed only by a stuffed zero or a restart marker.
 */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

export function isAcceptedSize({ width, height }: Size, maxSide: number): boolean {
  return width > 0 && height > 0 && width <= maxSide && height <= maxSide;
}
