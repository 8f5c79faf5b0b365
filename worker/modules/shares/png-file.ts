import { crc32 } from 'node:zlib';
import { inflateAtMost } from '../../files/inflate.ts';

/** What is wrong with a file that should be a picture of one size. */
export type PngProblem = 'not_png' | 'wrong_size' | 'cut_off' | 'damaged' | 'animated' | 'trailing_bytes';

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
/** The passes of an interlaced picture: the first pixel and the steps, across and down. */
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;
const MAX_FILTER = 4;

interface Chunk {
  readonly name: string;
  readonly data: Uint8Array;
}

interface Header extends Size {
  readonly colour: number;
  readonly depth: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
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
  return isInOrder(chunks, header) && hasEveryRow(chunks, header) ? null : 'damaged';
}

/** Every chunk with the checksum that it should have, the last one being the end. */
function readChunks(bytes: Uint8Array): Chunk[] | PngProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + FRAME_LENGTH <= bytes.length; ) {
    const end = at + FRAME_LENGTH + view.getUint32(at);
    if (end > bytes.length) return 'cut_off';
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (!/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(name) || crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return 'damaged';
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4) });
    if (name === 'IEND') return end === bytes.length ? chunks : 'trailing_bytes';
    at = end;
  }
  return 'cut_off';
}

function readHeader(data: Uint8Array): Header | null {
  if (data.length !== HEADER_LENGTH) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [depth, colour, compression, filter, interlace] = data.subarray(8) as unknown as [number, number, number, number, number];
  const kind = COLOURS[colour];
  if (!kind?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return null;
  return { width: view.getUint32(0), height: view.getUint32(4), colour, depth, bitsPerPixel: depth * kind.samples, isInterlaced: interlace === 1 };
}

/** One header, at most one palette where it belongs, the picture in one piece, and of what must be understood nothing else. */
function isInOrder(chunks: readonly Chunk[], { colour, depth }: Header): boolean {
  const critical = chunks.filter(({ name }) => /^[A-Z]/.test(name)).map(({ name }) => name);
  const form = { [PALETTE]: /^IHDR PLTE( IDAT)+ IEND$/ }[colour] ?? (GREYS.includes(colour) ? /^IHDR( IDAT)+ IEND$/ : /^IHDR( PLTE)?( IDAT)+ IEND$/);
  const palette = chunks.find(({ name }) => name === 'PLTE')?.data.length;
  const mostColours = colour === PALETTE ? 2 ** depth : 256;
  const isPaletteSound = palette === undefined || (palette > 0 && palette % 3 === 0 && palette / 3 <= mostColours);
  const names = chunks.map(({ name }) => name);
  const isInOnePiece = names.slice(names.indexOf('IDAT'), names.lastIndexOf('IDAT')).every((name) => name === 'IDAT');
  return form.test(critical.join(' ')) && isPaletteSound && isInOnePiece && chunks.at(-1)?.data.length === 0;
}

/** Inflates the picture, no further than it may be long, and looks at how each row begins. */
function hasEveryRow(chunks: readonly Chunk[], header: Header): boolean {
  const rows = rowsOf(header);
  const length = rows.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  const pixels = inflateAtMost(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data), length);
  if (pixels?.length !== length) return false;
  let at = 0;
  for (const { count, bytes } of rows) {
    for (let row = 0; row < count; row++, at += bytes) if ((pixels[at] ?? 0) > MAX_FILTER) return false;
  }
  return true;
}

/** How many rows of how many bytes there are, the byte that names a row's filter included. */
function rowsOf({ width, height, bitsPerPixel, isInterlaced }: Header): { count: number; bytes: number }[] {
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  return passes.map(([left, top, across, down]) => ({
    count: Math.ceil((height - top) / down),
    bytes: 1 + Math.ceil((Math.ceil((width - left) / across) * bitsPerPixel) / 8),
  }));
}
