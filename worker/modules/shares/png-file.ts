import { crc32 } from 'node:zlib';
import { areRowsSound, type PngHeader } from './png-rows.ts';

/** What is wrong with a file that should be a picture of one size. */
export type PngProblem =
  | 'not_png'
  | 'wrong_size'
  | 'cut_off'
  | 'damaged'
  | 'animated'
  | 'parts_beside'
  | 'too_many_parts'
  | 'trailing_bytes';

/** A picture of 5 MB in pieces of 4 KB, which is the least that anybody writes, is still far from it. */
export const MAX_CHUNKS = 4_096;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** A chunk's length, name and checksum, around its data. */
const FRAME_LENGTH = 12;
const HEADER_LENGTH = 13;
const ANIMATION = ['acTL', 'fcTL', 'fdAT'];
/** Samples a pixel and how many bits each may have, by colour type. */
const COLOURS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
const PALETTE = 3;
const GREYS = [0, 4];
/**
 * What may stand beside a picture, in front of it: plain values of fixed lengths (the time also behind it). Everything compressed (zTXt, iTXt, iCCP) could
 * be a bomb to whoever opens it, and what nobody knows too.
 */
const VALUES: Readonly<Record<string, readonly number[]>> = {
  gAMA: [4],
  cHRM: [32],
  sRGB: [1],
  pHYs: [9],
  tIME: [7],
  sBIT: [1, 2, 3, 4],
  bKGD: [1, 2, 6],
};
/** Plain words, anywhere and any number of them. */
const WORDS = 'tEXt';
const TRANSPARENCY = 'tRNS';
/** How long the one transparent colour is, by colour type. A palette has a byte a colour instead. */
const TRANSPARENCY_LENGTHS: Readonly<Record<number, number>> = { 0: 2, 2: 6 };

interface Chunk {
  readonly name: string;
  readonly data: Uint8Array;
}

/** Reads a whole PNG down to its last row: `null` when it is sound, one still picture of that size, and nothing but that. */
export function findPngProblem(bytes: Uint8Array, size: Size): PngProblem | null {
  if (!SIGNATURE.every((byte, index) => bytes[index] === byte)) return 'not_png';
  const chunks = readChunks(bytes);
  if (typeof chunks === 'string') return chunks;
  const header = chunks[0]?.name === 'IHDR' ? readHeader(chunks[0].data) : null;
  if (header === null) return 'damaged';
  if (header.width !== size.width || header.height !== size.height) return 'wrong_size';
  if (chunks.some(({ name }) => ANIMATION.includes(name))) return 'animated';
  if (
    !chunks.every(({ name }) => isCritical(name) || name === WORDS || name === TRANSPARENCY || name in VALUES)
  ) {
    return 'parts_beside';
  }
  const colours =
    header.colour === PALETTE ? (chunks.find(({ name }) => name === 'PLTE')?.data.length ?? 0) / 3 : null;
  const parts = chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data);
  return isInOrder(chunks, header) &&
    areValuesSound(chunks, { header, colours }) &&
    areRowsSound({ parts, header, colours })
    ? null
    : 'damaged';
}

/** Every chunk with the checksum that it should have, the last one being the end. */
function readChunks(bytes: Uint8Array): Chunk[] | PngProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + FRAME_LENGTH <= bytes.length;) {
    if (chunks.length === MAX_CHUNKS) return 'too_many_parts';
    const end = at + FRAME_LENGTH + view.getUint32(at);
    if (end > bytes.length) return 'cut_off';
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (
      !/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(name) ||
      crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)
    ) {
      return 'damaged';
    }
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4) });
    if (name === 'IEND') return end === bytes.length ? chunks : 'trailing_bytes';
    at = end;
  }
  return 'cut_off';
}

function readHeader(data: Uint8Array): PngHeader | null {
  if (data.length !== HEADER_LENGTH) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [depth, colour, compression, filter, interlace] = data.subarray(8) as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  const kind = COLOURS[colour];
  if (!kind?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return null;
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    colour,
    depth,
    bitsPerPixel: depth * kind.samples,
    isInterlaced: interlace === 1,
  };
}

/** One header, at most one palette where it belongs, the picture in one piece, and of what must be understood nothing else. */
function isInOrder(chunks: readonly Chunk[], { colour, depth }: PngHeader): boolean {
  const critical = chunks.filter(({ name }) => isCritical(name)).map(({ name }) => name);
  const form =
    { [PALETTE]: /^IHDR PLTE( IDAT)+ IEND$/ }[colour] ??
    (GREYS.includes(colour) ? /^IHDR( IDAT)+ IEND$/ : /^IHDR( PLTE)?( IDAT)+ IEND$/);
  const palette = chunks.find(({ name }) => name === 'PLTE')?.data.length;
  const mostColours = colour === PALETTE ? 2 ** depth : 256;
  const isPaletteSound =
    palette === undefined || (palette > 0 && palette % 3 === 0 && palette / 3 <= mostColours);
  const names = chunks.map(({ name }) => name);
  const isInOnePiece = names
    .slice(names.indexOf('IDAT'), names.lastIndexOf('IDAT'))
    .every((name) => name === 'IDAT');
  return form.test(critical.join(' ')) && isPaletteSound && isInOnePiece && chunks.at(-1)?.data.length === 0;
}

/** Each value once, in front of the picture and as long as it may be; transparency where its colours have none of their own. */
function areValuesSound(
  chunks: readonly Chunk[],
  { header, colours }: { header: PngHeader; colours: number | null },
): boolean {
  const names = chunks.map(({ name }) => name);
  return chunks.every(({ name, data }, index) => {
    if (isCritical(name) || name === WORDS) return true;
    const isFirst = names.indexOf(name) === index;
    if (name === 'tIME') return isFirst && VALUES[name]?.includes(data.length);
    if (!isFirst || index > names.indexOf('IDAT')) return false;
    if (name !== TRANSPARENCY) return VALUES[name]?.includes(data.length);
    if (colours === null) return data.length === TRANSPARENCY_LENGTHS[header.colour];
    return data.length > 0 && data.length <= colours && index > names.indexOf('PLTE');
  });
}

function isCritical(name: string): boolean {
  return /^[A-Z]/.test(name);
}
