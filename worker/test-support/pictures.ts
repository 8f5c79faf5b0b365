/** A portrait of 48×48 pixels as a browser writes it. */
export const jpegPortrait = fromBase64(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAwADADASIAAhEBAxEB/8QAGQAAAwEBAQAAAAAAAAAAAAAAAAMGBQQH/8QAKBAAAQQBAwMCBwAAAAAAAAAAAQACAwQRBRIxBkFhgaETFSEyccHR/8QAGQEBAAMBAQAAAAAAAAAAAAAAAwECBAUA/8QAGxEAAwEAAwEAAAAAAAAAAAAAAAERAgQSIRP/2gAMAwEAAhEDEQA/ALNCEq1YjqVpJ5jhjBk+fCEgahQ13Xr9mUlkzoY+zYzjHryilr1+tKC+Z00fdshzn15Ve6F+GoXKEqrYjt1o54jljxkePCarBAsTqzd8oG3j4rd34wf3hbaVarx26z4JhljxgrzVROXGmeboWpd0G/WlIZC6aPs6MZz6copaDfsygPhdDH3dIMY9OUMZt75lpv8ASe75Qd3HxXbfxgfvK2kqrXjq1o4IRhjBgJqZeIxadbYKf1XqWOs90FNolkb9C8/aP6uzqO2+ppEjoyWvkIjBHbPPsCoNbeLx1tdtA71PEd82talM7LrkjfDDtHsiHWtShdltyR3h53D3XAhdD54kgVZYaV1LHZe2C40RSO+gePtP8VAvL1edOW329JjdIS58ZMZJ7449iFz+Vx1hdsi41fGf/9k=',
);

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const RGBA = 6;

export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** A PNG whose header says a size, and whose pixels are of the rows that are given: none, and it is a lie. */
export async function encodePng({
  width,
  height,
  colourAt,
  before = [],
}: {
  width: number;
  height: number;
  colourAt?: (x: number, y: number) => Colour;
  before?: readonly Uint8Array[];
}): Promise<Uint8Array<ArrayBuffer>> {
  const rows =
    colourAt === undefined
      ? []
      : Array.from({ length: height }, (_, y) => [
          0,
          ...Array.from({ length: width }, (__, x) => colourAt(x, y)).flat(),
        ]).flat();
  return joinBytes([
    SIGNATURE,
    header({ width, height }),
    ...before,
    pngChunk('IDAT', await deflate(Uint8Array.from(rows))),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

export function header({ width, height }: { width: number; height: number }): Uint8Array {
  const data = new Uint8Array(13);
  new DataView(data.buffer).setUint32(0, width);
  new DataView(data.buffer).setUint32(4, height);
  data.set([8, RGBA, 0, 0, 0], 8);
  return pngChunk('IHDR', data);
}

/** One chunk of a PNG with its length and checksum. */
export function pngChunk(name: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(name), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** A ground with a brighter disc on it, as PNG. */
export const pngPortrait = await encodePng({
  width: 64,
  height: 64,
  colourAt: (x, y) =>
    Math.hypot(x - 31.5, y - 24) < 15
      ? [241, 194, 160, 255]
      : y > 46
        ? [29, 53, 87, 255]
        : [42, 157, 143, 255],
});

async function deflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(
    await new Response(new Blob([data]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer(),
  );
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
