import { inflateAtMost } from '../../files/inflate.ts';

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly colour: number;
  readonly depth: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
}

/** Rows of one length, each behind the byte that names its filter. */
interface Pass {
  readonly width: number;
  readonly count: number;
  readonly bytes: number;
}

/** The passes of an interlaced picture: the first pixel and the steps, across and down. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const MAX_FILTER = 4;

/**
 * Whether a picture's packed parts come to just its rows, each with a legal filter.
 * @param colours how many the palette has, where pixels name them: none may name another.
 */
export function areRowsSound({
  parts,
  header,
  colours,
}: {
  parts: readonly Uint8Array[];
  header: PngHeader;
  colours: number | null;
}): boolean {
  const passes = passesOf(header);
  const length = passes.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  const rows = inflateAtMost(parts, length);
  if (rows?.length !== length) return false;
  const { depth } = header;
  const isIndexed = colours !== null && colours < 2 ** depth;
  let at = 0;
  for (const { width, count, bytes } of passes) {
    let above: Uint8Array = new Uint8Array(bytes - 1);
    for (let index = 0; index < count; index++, at += bytes) {
      const filter = rows[at] ?? 0;
      if (filter > MAX_FILTER) return false;
      if (!isIndexed) continue;
      const row = rows.subarray(at + 1, at + bytes);
      unfilter({ filter, row, above });
      if (!isOfColours({ row, width, depth, colours })) return false;
      above = row;
    }
  }
  return true;
}

function passesOf({ width, height, bitsPerPixel, isInterlaced }: PngHeader): Pass[] {
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  return passes.map(([left, top, across, down]) => {
    const pixels = Math.ceil((width - left) / across);
    return {
      width: pixels,
      count: Math.ceil((height - top) / down),
      bytes: 1 + Math.ceil((pixels * bitsPerPixel) / 8),
    };
  });
}

/** Undoes a row's filter in place, where a pixel has a byte at most. */
function unfilter({ filter, row, above }: { filter: number; row: Uint8Array; above: Uint8Array }): void {
  if (filter === 0) return;
  let left = 0;
  let corner = 0;
  for (let at = 0; at < row.length; at++) {
    const up = above[at] ?? 0;
    left = ((row[at] ?? 0) + predict(filter, { left, up, corner })) & 0xff;
    row[at] = left;
    corner = up;
  }
}

function predict(filter: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function isOfColours({
  row,
  width,
  depth,
  colours,
}: {
  row: Uint8Array;
  width: number;
  depth: number;
  colours: number;
}): boolean {
  const mask = 2 ** depth - 1;
  for (let x = 0; x < width; x++) {
    const bit = x * depth;
    if ((((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & mask) >= colours) return false;
  }
  return true;
}
