import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SHARE_IMAGE } from '#schema/constants.ts';
import { deflate, encodeChunks, encodeHeader, joinBytes } from '../../test-support/png.ts';
import { findPngProblem, MAX_CHUNKS } from './png-file.ts';
import { renderPng } from './render-png.ts';

type Chunk = readonly [name: string, data: Uint8Array];

const NOTHING = new Uint8Array(0);
const END: Chunk = ['IEND', NOTHING];
/** As long as the rows of a picture of 1200×675 in grey are, eight bits each. */
const GREY_LENGTH = 1201 * 675;

let grey: Uint8Array<ArrayBuffer>;
let tiny: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  grey = await deflate(new Uint8Array(GREY_LENGTH));
  tiny = encodeChunks([
    ['IHDR', encodeHeader({ depth: 1 })],
    ['IDAT', await deflate(new Uint8Array(151 * 675))],
    END,
  ]);
});

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

/** The rows of a picture with a palette, each under another of the five filters than the one before. */
function indexedRows({
  depth,
  width = 1200,
  height = 675,
  indexAt,
}: {
  depth: number;
  width?: number;
  height?: number;
  indexAt: (x: number, y: number) => number;
}): Uint8Array<ArrayBuffer> {
  const length = Math.ceil((width * depth) / 8);
  const rows = new Uint8Array((1 + length) * height);
  let above = new Uint8Array(length);
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(length);
    for (let x = 0; x < width; x++) {
      row[(x * depth) >> 3] =
        (row[(x * depth) >> 3] ?? 0) | (indexAt(x, y) << (8 - depth - ((x * depth) & 7)));
    }
    const filter = y % 5;
    rows[y * (1 + length)] = filter;
    for (let at = 0; at < length; at++) {
      const [left, up, corner] = [row[at - 1] ?? 0, above[at] ?? 0, above[at - 1] ?? 0];
      const estimate = left + up - corner;
      const nearest =
        [left, up, corner].toSorted(
          (one, other) => Math.abs(estimate - one) - Math.abs(estimate - other),
        )[0] ?? 0;
      rows[y * (1 + length) + 1 + at] =
        (row[at] ?? 0) - ([0, left, up, (left + up) >> 1, nearest][filter] ?? 0);
    }
    above = row;
  }
  return rows;
}

const problemOf = (bytes: Uint8Array) => findPngProblem(bytes, SHARE_IMAGE);
const head = (options: Parameters<typeof encodeHeader>[0] = {}): Chunk => ['IHDR', encodeHeader(options)];
const problemOfChunks = (...chunks: Chunk[]) => problemOf(encodeChunks(chunks));

describe('a sound picture', () => {
  it.each([
    [0, 1],
    [0, 2],
    [0, 4],
    [0, 8],
    [0, 16],
    [2, 8],
    [2, 16],
    [3, 1],
    [3, 2],
    [3, 4],
    [3, 8],
    [4, 8],
    [4, 16],
    [6, 8],
    [6, 16],
  ])('is taken of colour type %i in %i bits, interlaced or not', async (colour, depth) => {
    const samples = [1, 0, 3, 1, 2, 0, 4][colour] ?? 0;
    const bytesOf = (width: number) => 1 + Math.ceil((width * depth * samples) / 8);
    const palette: Chunk[] = colour === 3 ? [['PLTE', new Uint8Array(6)]] : [];
    const plain = await deflate(new Uint8Array(bytesOf(1200) * 675));
    expect(problemOfChunks(head({ colour, depth }), ...palette, ['IDAT', plain], END)).toBeNull();
    // The seven passes of 1200×675, counted by hand.
    const passes = [
      [150, 85],
      [150, 85],
      [300, 84],
      [300, 169],
      [600, 169],
      [600, 338],
      [1200, 337],
    ] as const;
    const interlaced = await deflate(
      new Uint8Array(passes.reduce((sum, [width, rows]) => sum + bytesOf(width) * rows, 0)),
    );
    expect(
      problemOfChunks(head({ colour, depth, interlace: 1 }), ...palette, ['IDAT', interlaced], END),
    ).toBeNull();
    expect(problemOfChunks(head({ colour, depth, interlace: 1 }), ...palette, ['IDAT', plain], END)).toBe(
      'damaged',
    );
  });

  it('is taken in any number of pieces, with words beside it', () => {
    const pieces = Array.from(grey, (byte): Chunk => ['IDAT', new Uint8Array([byte])]);
    const words: Chunk = ['tEXt', new TextEncoder().encode('Title\0A call')];
    expect(
      problemOfChunks(head(), words, ['IDAT', NOTHING], ...pieces, ['IDAT', NOTHING], words, END),
    ).toBeNull();
  });

  it('is taken with its gamma, its measures, its transparent colour', () => {
    const beside: Chunk[] = [
      ['gAMA', new Uint8Array(4)],
      ['cHRM', new Uint8Array(32)],
      ['sRGB', new Uint8Array(1)],
      ['pHYs', new Uint8Array(9)],
      ['tIME', new Uint8Array(7)],
    ];
    expect(
      problemOfChunks(
        head(),
        ...beside,
        ['sBIT', new Uint8Array(1)],
        ['bKGD', new Uint8Array(2)],
        ['tRNS', new Uint8Array(2)],
        ['IDAT', grey],
        END,
      ),
    ).toBeNull();
    for (const entries of [1, 2]) {
      expect(
        problemOfChunks(
          head({ colour: 3 }),
          ['PLTE', new Uint8Array(6)],
          ['tRNS', new Uint8Array(entries)],
          ['IDAT', grey],
          END,
        ),
      ).toBeNull();
    }
  });

  it.each([1, 2, 4, 8])(
    'is taken when its pixels of %i bits are of the palette, however its rows are filtered',
    async (depth) => {
      const colours = 2 ** Math.min(depth, 7);
      const rows = indexedRows({ depth, indexAt: (x, y) => (x * 7 + y) % colours });
      const palette: Chunk = ['PLTE', new Uint8Array(3 * colours)];
      for (const interlace of [0, 1]) {
        const plain =
          interlace === 1
            ? joinBytes(
                PASSES.map(([left, top, across, down]) =>
                  indexedRows({
                    depth,
                    width: Math.ceil((1200 - left) / across),
                    height: Math.ceil((675 - top) / down),
                    indexAt: (x, y) => ((left + x * across) * 7 + top + y * down) % colours,
                  }),
                ),
              )
            : rows;
        expect(
          problemOfChunks(
            head({ colour: 3, depth, interlace }),
            palette,
            ['IDAT', await deflate(plain)],
            END,
          ),
        ).toBeNull();
      }
    },
  );

  it('[9.14] is what we draw', async () => {
    const png = await renderPng(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675"><circle cx="300" cy="300" r="200" fill="red"/></svg>',
    );
    expect(problemOf(png)).toBeNull();
  });

  it('is taken out of the middle of a buffer', () => {
    const around = joinBytes([new Uint8Array(7), tiny, new Uint8Array(5)]);
    expect(problemOf(around.subarray(7, 7 + tiny.length))).toBeNull();
  });
});

describe('anything else', () => {
  it('is refused where it is cut off: at every byte', () => {
    for (let length = 0; length < tiny.length; length++) {
      expect(problemOf(tiny.subarray(0, length))).toBe(length < 8 ? 'not_png' : 'cut_off');
    }
  });

  it('[4.36] is refused where one bit is another: each of them', () => {
    for (let bit = 0; bit < tiny.length * 8; bit++) {
      const flipped = tiny.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(problemOf(flipped)).not.toBeNull();
    }
  });

  it('is refused where bytes are others, are missing or are too many', () => {
    const edit = fc.tuple(fc.nat(tiny.length - 1), fc.nat(30), fc.uint8Array({ maxLength: 30 }));
    fc.assert(
      fc.property(edit, ([at, removed, added]) => {
        const edited = joinBytes([tiny.subarray(0, at), added, tiny.subarray(at + removed)]);
        const isSame = edited.length === tiny.length && edited.every((byte, index) => byte === tiny[index]);
        if (!isSame) expect(problemOf(edited)).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isSigned) =>
        expect(problemOf(isSigned ? joinBytes([tiny.subarray(0, 8), bytes]) : bytes)).not.toBeNull(),
      ),
      { numRuns: 1_000 },
    );
  });

  it('is refused with something behind its end', () => {
    for (const more of [new Uint8Array(1), tiny, encodeChunks([END]).subarray(8)]) {
      expect(problemOf(joinBytes([tiny, more]))).toBe('trailing_bytes');
    }
  });

  it.each([
    [1199, 675],
    [1200, 676],
    [675, 1200],
    [0, 0],
    [1, 1],
    [2 ** 32 - 1, 2 ** 32 - 1],
  ])('is refused of another size: %i×%i', (width, height) => {
    expect(problemOfChunks(head({ width, height }), ['IDAT', grey], END)).toBe('wrong_size');
  });

  it.each([
    { depth: 3 },
    { depth: 0 },
    { depth: 16, colour: 3 },
    { depth: 4, colour: 2 },
    { colour: 1 },
    { colour: 5 },
    { colour: 7 },
    { interlace: 2 },
    { compression: 1 },
    { filter: 1 },
  ])('is refused with a header that no PNG has: %j', (options) =>
    expect(problemOfChunks(head(options), ['IDAT', grey], END)).toBe('damaged'),
  );

  it('is refused when its chunks are not those of a picture, or out of order', () => {
    const data: Chunk = ['IDAT', grey];
    const palette: Chunk = ['PLTE', new Uint8Array(6)];
    const indexed = head({ colour: 3 });
    const lists: Record<string, Chunk[]> = {
      nothing: [END],
      'no picture': [head(), END],
      'no header': [data, END],
      'a late header': [['tEXt', NOTHING], head(), data, END],
      'two headers': [head(), head(), data, END],
      'a short header': [['IHDR', encodeHeader().slice(0, 12)], data, END],
      'a long header': [['IHDR', joinBytes([encodeHeader(), NOTHING, new Uint8Array(1)])], data, END],
      'an end that says something': [head(), data, ['IEND', new Uint8Array(1)]],
      'a picture torn apart': [
        head(),
        ['IDAT', grey.slice(0, 9)],
        ['tEXt', NOTHING],
        ['IDAT', grey.slice(9)],
        END,
      ],
      'what must be understood and is not': [head(), ['ABCD', NOTHING], data, END],
      'no palette': [indexed, data, END],
      'a palette of grey': [head(), palette, data, END],
      'two palettes': [indexed, palette, palette, data, END],
      'a late palette': [indexed, data, palette, END],
      'an empty palette': [indexed, ['PLTE', NOTHING], data, END],
      'a torn palette': [indexed, ['PLTE', new Uint8Array(7)], data, END],
      'too large a palette': [indexed, ['PLTE', new Uint8Array(257 * 3)], data, END],
      'a name that is none': [head(), ['tE t', NOTHING], data, END],
      'a name with the reserved bit': [head(), ['text', NOTHING], data, END],
    };
    for (const [name, chunks] of Object.entries(lists)) {
      expect(problemOfChunks(...chunks), name).toBe('damaged');
    }
    expect(problemOfChunks(head(), data)).toBe('cut_off');
  });

  it.each(['zTXt', 'iTXt', 'iCCP', 'eXIf', 'sPLT', 'hIST', 'caBX', 'prVt'])(
    'is refused with a %s beside the picture, which nobody looked into',
    async (name) => {
      const bomb = await deflate(new Uint8Array(30_000_000));
      for (const data of [NOTHING, joinBytes([new TextEncoder().encode('Title\0\0'), bomb])]) {
        expect(problemOfChunks(head(), [name, data], ['IDAT', grey], END)).toBe('parts_beside');
        expect(problemOfChunks(head(), ['IDAT', grey], [name, data], END)).toBe('parts_beside');
      }
    },
  );

  it('is refused with what stands beside a picture in another size, twice, or too late', () => {
    const gamma: Chunk = ['gAMA', new Uint8Array(4)];
    const lists: Chunk[][] = [
      [head(), ['gAMA', new Uint8Array(5)], ['IDAT', grey], END],
      [head(), ['sRGB', NOTHING], ['IDAT', grey], END],
      [head(), ['pHYs', new Uint8Array(4_000_000)], ['IDAT', grey], END],
      [head(), gamma, gamma, ['IDAT', grey], END],
      [head(), ['IDAT', grey], gamma, END],
    ];
    for (const chunks of lists) expect(problemOfChunks(...chunks)).toBe('damaged');
  });

  it('is refused with transparency that its colours cannot have', async () => {
    const transparent = (length: number): Chunk => ['tRNS', new Uint8Array(length)];
    const palette: Chunk = ['PLTE', new Uint8Array(6)];
    const data = async (samples: number): Promise<Chunk> => [
      'IDAT',
      await deflate(new Uint8Array((1 + 1200 * samples) * 675)),
    ];
    const lists: Chunk[][] = [
      [head({ colour: 4 }), transparent(2), await data(2), END],
      [head({ colour: 6 }), transparent(6), await data(4), END],
      [head({ colour: 2 }), transparent(2), await data(3), END],
      [head(), transparent(6), ['IDAT', grey], END],
      [head({ colour: 3 }), palette, transparent(0), ['IDAT', grey], END],
      [head({ colour: 3 }), palette, transparent(3), ['IDAT', grey], END],
      [head({ colour: 3 }), transparent(2), palette, ['IDAT', grey], END],
      [head(), transparent(2), transparent(2), ['IDAT', grey], END],
      [head(), ['IDAT', grey], transparent(2), END],
    ];
    for (const chunks of lists) {
      expect(problemOfChunks(...chunks), chunks.map(([name, { length }]) => `${name} ${length}`).join()).toBe(
        'damaged',
      );
    }
    expect(problemOfChunks(head({ colour: 2 }), transparent(6), await data(3), END)).toBeNull();
  });

  it.each([1, 2, 4, 8])(
    'is refused when one pixel of %i bits is of a colour that the palette has not',
    async (depth) => {
      const colours = 2 ** depth - 1;
      const palette: Chunk = ['PLTE', new Uint8Array(3 * colours)];
      const problemWith = async (at: { x: number; y: number } | null, beyond: number) => {
        const rows = indexedRows({
          depth,
          indexAt: (x, y) => (x === at?.x && y === at.y ? beyond : (x + y) % colours),
        });
        return problemOfChunks(head({ colour: 3, depth }), palette, ['IDAT', await deflate(rows)], END);
      };
      expect(await problemWith(null, 0)).toBeNull();
      expect(await problemWith({ x: 1199, y: 674 }, colours - 1)).toBeNull();
      for (const at of [
        { x: 0, y: 0 },
        { x: 1199, y: 674 },
        { x: 600, y: 3 },
        { x: 7, y: 4 },
      ]) {
        expect(await problemWith(at, colours)).toBe('damaged');
      }
    },
  );

  it('is refused in more pieces than any picture needs, before they are all looked at', () => {
    const words: Chunk = ['tEXt', NOTHING];
    const withWords = (count: number) =>
      problemOfChunks(head(), ...Array.from({ length: count }, () => words), ['IDAT', grey], END);
    expect(withWords(MAX_CHUNKS - 3)).toBeNull();
    expect(withWords(MAX_CHUNKS - 2)).toBe('too_many_parts');
    const endless = encodeChunks(Array.from({ length: MAX_CHUNKS + 1 }, () => words));
    const reading = vi.spyOn(DataView.prototype, 'getUint32');
    expect(problemOf(joinBytes([endless, endless, endless]))).toBe('too_many_parts');
    expect(reading.mock.calls.length).toBeLessThanOrEqual(2 * MAX_CHUNKS);
    vi.restoreAllMocks();
  });

  it('is refused when it moves', () => {
    for (const name of ['acTL', 'fcTL', 'fdAT']) {
      expect(problemOfChunks(head(), [name, new Uint8Array(26)], ['IDAT', grey], END)).toBe('animated');
      expect(problemOfChunks(head(), ['IDAT', grey], [name, new Uint8Array(26)], END)).toBe('animated');
    }
  });

  it('is refused with a row too few or too many, or one that no filter begins', async () => {
    for (const length of [0, 1, GREY_LENGTH - 1, GREY_LENGTH + 1, 2 * GREY_LENGTH]) {
      expect(
        problemOfChunks(head(), ['IDAT', await deflate(new Uint8Array(length))], END),
        String(length),
      ).toBe('damaged');
    }
    for (const [row, filter] of [
      [0, 5],
      [674, 5],
      [300, 255],
    ] as const) {
      const rows = new Uint8Array(GREY_LENGTH);
      rows[row * 1201] = filter;
      expect(problemOfChunks(head(), ['IDAT', await deflate(rows)], END)).toBe('damaged');
    }
    const filtered = new Uint8Array(GREY_LENGTH).fill(255);
    for (let row = 0; row < 675; row++) filtered[row * 1201] = row % 5;
    expect(problemOfChunks(head(), ['IDAT', await deflate(filtered)], END)).toBeNull();
  });

  it('is refused when its stream is none, is cut off, has a wrong checksum or is followed by something', () => {
    const wrongSum = grey.slice();
    wrongSum[grey.length - 1] = (grey.at(-1) ?? 0) ^ 1;
    const streams = [
      NOTHING,
      new Uint8Array(9),
      grey.slice(0, -1),
      grey.slice(0, -5),
      grey.slice(2),
      wrongSum,
      joinBytes([grey, new Uint8Array(1)]),
      joinBytes([grey, grey]),
    ];
    for (const stream of streams) expect(problemOfChunks(head(), ['IDAT', stream], END)).toBe('damaged');
  });

  it('is refused before a bomb has gone off', async () => {
    // Zeros come to one byte over and over, a thousand and more of them each: so many take 5 GB, which nobody here has.
    const zeros = await deflate(new Uint8Array(1024 * 1024));
    const [start, byte, end] = [zeros.slice(0, 500), zeros[500] ?? 0, zeros.slice(500)];
    expect(new Set(zeros.slice(400, 600))).toEqual(new Set([byte]));
    const bomb = joinBytes([start, new Uint8Array(5_000_000).fill(byte), end]);
    expect(problemOfChunks(head(), ['IDAT', bomb], END)).toBe('damaged');
    expect(problemOfChunks(head({ depth: 16, colour: 6, interlace: 1 }), ['IDAT', bomb], END)).toBe(
      'damaged',
    );
  });
});
