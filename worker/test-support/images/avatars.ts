import { deflate, encodeHeader, joinBytes, pngChunk, PNG_SIGNATURE, RGBA } from './png.ts';

/** A portrait of 48×48 pixels, encoded by a browser. */
export const jpegPortrait = fromBase64(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAwADADASIAAhEBAxEB/8QAGQAAAwEBAQAAAAAAAAAAAAAAAAMGBQQH/8QAKBAAAQQBAwMCBwAAAAAAAAAAAQACAwQRBRIxBkFhgaETFSEyccHR/8QAGQEBAAMBAQAAAAAAAAAAAAAAAwECBAUA/8QAGxEAAwEAAwEAAAAAAAAAAAAAAAERAgQSIRP/2gAMAwEAAhEDEQA/ALNCEq1YjqVpJ5jhjBk+fCEgahQ13Xr9mUlkzoY+zYzjHryilr1+tKC+Z00fdshzn15Ve6F+GoXKEqrYjt1o54jljxkePCarBAsTqzd8oG3j4rd34wf3hbaVarx26z4JhljxgrzVROXGmeboWpd0G/WlIZC6aPs6MZz6copaDfsygPhdDH3dIMY9OUMZt75lpv8ASe75Qd3HxXbfxgfvK2kqrXjq1o4IRhjBgJqZeIxadbYKf1XqWOs90FNolkb9C8/aP6uzqO2+ppEjoyWvkIjBHbPPsCoNbeLx1tdtA71PEd82talM7LrkjfDDtHsiHWtShdltyR3h53D3XAhdD54kgVZYaV1LHZe2C40RSO+gePtP8VAvL1edOW329JjdIS58ZMZJ7449iFz+Vx1hdsi41fGf/9k=',
);

export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

interface PngToEncode {
  readonly width: number;
  readonly height: number;
  readonly colourAt?: (x: number, y: number) => Colour;
  readonly before?: readonly Uint8Array[];
}

/** A PNG with this size in its header. Without `colourAt` it has no pixels. */
export async function encodePng({ width, height, colourAt, before = [] }: PngToEncode) {
  const rows =
    colourAt === undefined
      ? []
      : Array.from({ length: height }, (_, y) => [
          0,
          ...Array.from({ length: width }, (__, x) => colourAt(x, y)).flat(),
        ]).flat();
  return joinBytes([
    PNG_SIGNATURE,
    header({ width, height }),
    ...before,
    pngChunk('IDAT', await deflate(Uint8Array.from(rows))),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

export function header({ width, height }: { width: number; height: number }): Uint8Array {
  return pngChunk('IHDR', encodeHeader({ width, height, colour: RGBA }));
}

/** A portrait of a head and shoulders. */
export const pngPortrait = await encodePng({
  width: 64,
  height: 64,
  colourAt: (x, y) => {
    if (Math.hypot(x - 31.5, y - 24) < 15) return [241, 194, 160, 255];
    return y > 46 ? [29, 53, 87, 255] : [42, 157, 143, 255];
  },
});

/** The position of a marker in the JPEG portrait. */
export const jpegMarkerAt = (marker: number) =>
  jpegPortrait.findIndex((byte, at) => byte === 0xff && jpegPortrait[at + 1] === marker);

/** A JPEG with this size written into its header. */
export function encodeJpeg({ width, height }: { width: number; height: number }): Uint8Array<ArrayBuffer> {
  const bytes = jpegPortrait.slice();
  const size = new DataView(bytes.buffer, jpegMarkerAt(0xc0) + 5);
  size.setUint16(0, height);
  size.setUint16(2, width);
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
