import { hashText, pickFrom, unitFrom } from '../market/noise.ts';
import { encodePng } from './png.ts';

type Colour = readonly [red: number, green: number, blue: number];
/** A shape in the unit square; later shapes cover earlier ones. */
type Shape = { colour: Colour; covers: (x: number, y: number) => boolean };

/**
 * The side of the squares into which the picture is divided. If possible, a square is drawn in one colour.
 * Every shape is wider than half a square.
 */
const SQUARE = 0.02;
const SAMPLES = 3;
/** In px. */
const LARGE = 200;
const LARGE_SCALE = 4;
const BLACK: Colour = [0, 0, 0];
const grounds = palette(
  '264653 e76f51 2a9d8f e9c46a 6d597a 355070 b56576 4c6ef5 606c38 d68c45 457b9d 833860',
);
const skins = palette('ffe0c4 f1c2a0 e0ac7d c6865c a16642 7a4a2e 583624');
const hairs = palette('1c181c 3e281e 704222 b07032 deb262 96969e a03428 403c6e');
const cloths = palette('f5f1e8 1d3557 e63946 14141a f4a261 a8dadc 789064 ffc857');

/**
 * Draws a flat portrait as PNG: background, shoulders, head and hair. Some people have glasses or a hat. The
 * same name gives the same portrait.
 */
export function portraitPng({ name, size }: { name: string; size: number }): Buffer {
  // A large picture would take 100 ms if drawn pixel by pixel, and the directory requests sixty pictures at
  // once.
  const scale = size >= LARGE && size % LARGE_SCALE === 0 ? LARGE_SCALE : 1;
  const rgb = enlarge(drawPortrait({ name, size: size / scale }), { size, scale });
  return encodePng({ width: size, height: size, rgb });
}

/** Draws each pixel `scale` times in both directions. `size` is the side of the enlarged square. */
function enlarge(rgb: Uint8Array, { size, scale }: { size: number; scale: number }): Uint8Array {
  if (scale === 1) return rgb;
  const large = new Uint8Array(size * size * 3);
  const rowBytes = size * 3;
  for (let y = 0; y < size; y += scale) {
    const row = y * rowBytes;
    for (let at = 0; at < rowBytes; at += 1) {
      const x = Math.floor(at / 3 / scale);
      large[row + at] = rgb[((y / scale) * (size / scale) + x) * 3 + (at % 3)] ?? 0;
    }
    for (let copy = 1; copy < scale; copy += 1) large.copyWithin(row + copy * rowBytes, row, row + rowBytes);
  }
  return large;
}

function drawPortrait({ name, size }: { name: string; size: number }): Uint8Array {
  const shapes = portraitShapes(name).toReversed();
  const colourAt: ColourAt = (x, y) =>
    shapes.find(({ covers }) => covers(x / size, y / size))?.colour ?? BLACK;
  const rgb = new Uint8Array(size * size * 3);
  const side = Math.max(1, Math.floor(SQUARE * size));
  for (let top = 0; top < size; top += side) {
    for (let left = 0; left < size; left += side) {
      // Most squares lie inside one shape. Drawing these squares pixel by pixel, too, would take ten times as
      // long.
      const only = onlyColour({ colourAt, left, top, side });
      for (let y = top; y < Math.min(top + side, size); y += 1) {
        for (let x = left; x < Math.min(left + side, size); x += 1) {
          rgb.set(only ?? averageColour({ colourAt, left: x, top: y }), (y * size + x) * 3);
        }
      }
    }
  }
  return rgb;
}

/** The colour of a point, in px. */
type ColourAt = (x: number, y: number) => Colour;

interface Square {
  readonly colourAt: ColourAt;
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** The colour of a square's corners, edges and centre, if it's the same at all nine points. */
function onlyColour({ colourAt, left, top, side }: Square): Colour | null {
  const first = colourAt(left, top);
  for (const right of [0, side / 2, side]) {
    for (const down of [0, side / 2, side]) {
      if (colourAt(left + right, top + down) !== first) return null;
    }
  }
  return first;
}

function averageColour({ colourAt, left, top }: Omit<Square, 'side'>): number[] {
  const sum = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const x = left + ((sample % SAMPLES) + 0.5) / SAMPLES;
    const y = top + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    colourAt(x, y).forEach((part, index) => (sum[index] = (sum[index] ?? 0) + part));
  }
  return sum.map((part) => Math.round(part / (SAMPLES * SAMPLES)));
}

function portraitShapes(name: string): Shape[] {
  const ground = pickFrom(grounds, `ground ${name}`);
  const skin = pickFrom(skins, `skin ${name}`);
  const hair = pickFrom(hairs, `hair ${name}`);
  const cloth = pickFrom(cloths, `cloth ${name}`);
  const headWidth = 0.165 + 0.025 * unitFrom(`head ${name}`);
  const head = { x: 0.5, y: 0.44, width: headWidth, height: 0.215 };
  const style = hashText(`style ${name}`) % 5;
  return [
    { colour: ground, covers: () => true },
    { colour: shade(ground, 1.14), covers: backdropOf(name) },
    ...hairBehind({ style, hair }),
    { colour: cloth, covers: ellipse(0.5, 1.02, 0.37, 0.29) },
    { colour: shade(skin, 0.86), covers: (x, y) => Math.abs(x - 0.5) < 0.075 && y > 0.5 && y < 0.77 },
    { colour: shade(skin, 0.86), covers: ellipse(0.5, 0.76, 0.075, 0.045) },
    { colour: skin, covers: ellipse(head.x, head.y, head.width, head.height) },
    ...hairInFront({ style, hair, headWidth }),
    ...extrasOf({ name, cloth, hair, style }),
  ];
}

function hairBehind({ style, hair }: { style: number; hair: Colour }): Shape[] {
  const dark = shade(hair, 0.82);
  if (style === 0) return [{ colour: dark, covers: ellipse(0.5, 0.5, 0.255, 0.31) }];
  if (style === 1) return [{ colour: dark, covers: ellipse(0.5, 0.36, 0.27, 0.245) }];
  if (style === 2) return [{ colour: dark, covers: ellipse(0.5, 0.17, 0.085, 0.085) }];
  return [];
}

function hairInFront({
  style,
  hair,
  headWidth,
}: {
  style: number;
  hair: Colour;
  headWidth: number;
}): Shape[] {
  const cap = ellipse(0.5, 0.375, headWidth + 0.022, 0.185);
  const parting =
    style % 2 === 0
      ? ellipse(0.56, 0.5, headWidth + 0.03, 0.17)
      : ellipse(0.5, 0.51, headWidth + 0.005, 0.17);
  if (style === 4) return [{ colour: hair, covers: (x, y) => cap(x, y) && y < 0.31 }];
  return [{ colour: hair, covers: (x, y) => cap(x, y) && !parting(x, y) }];
}

interface ExtrasOfOptions {
  name: string;
  cloth: Colour;
  hair: Colour;
  style: number;
}

function extrasOf({ name, cloth, hair, style }: ExtrasOfOptions): Shape[] {
  const choice = hashText(`extra ${name}`) % 6;
  const frame: Colour = [30, 30, 36];
  if (choice === 0) {
    const ring = (centre: number) =>
      without(ellipse(centre, 0.45, 0.07, 0.065), ellipse(centre, 0.45, 0.055, 0.05));
    return [
      { colour: frame, covers: ring(0.42) },
      { colour: frame, covers: ring(0.58) },
      { colour: frame, covers: (x, y) => Math.abs(x - 0.5) < 0.014 && Math.abs(y - 0.445) < 0.008 },
    ];
  }
  if (choice === 1) {
    const crown = ellipse(0.5, 0.33, 0.205, 0.175);
    return [
      { colour: cloth, covers: (x, y) => y < 0.335 && crown(x, y) },
      { colour: shade(cloth, 0.8), covers: (x, y) => Math.abs(x - 0.5) < 0.215 && y > 0.3 && y < 0.345 },
    ];
  }
  if (choice === 2 && style > 2) {
    const beard = without(ellipse(0.5, 0.5, 0.17, 0.165), ellipse(0.5, 0.545, 0.05, 0.018));
    return [{ colour: hair, covers: (x, y) => y > 0.53 && beard(x, y) }];
  }
  return [];
}

function backdropOf(name: string): Shape['covers'] {
  const lean = unitFrom(`lean ${name}`) - 0.5;
  const choice = hashText(`backdrop ${name}`) % 3;
  if (choice === 0) return ellipse(0.5 + lean * 0.5, 0.42, 0.4, 0.4);
  if (choice === 1) return (x, y) => x + lean * y > 0.5 + lean / 2;
  return (x, y) => y > 0.55 + lean * (x - 0.5);
}

function without(shape: Shape['covers'], hole: Shape['covers']): Shape['covers'] {
  return (x, y) => shape(x, y) && !hole(x, y);
}

function ellipse(centreX: number, centreY: number, width: number, height: number): Shape['covers'] {
  return (x, y) => ((x - centreX) / width) ** 2 + ((y - centreY) / height) ** 2 <= 1;
}

function shade([red, green, blue]: Colour, factor: number): Colour {
  const scale = (part: number): number => Math.min(255, Math.round(part * factor));
  return [scale(red), scale(green), scale(blue)];
}

function palette(codes: string): readonly Colour[] {
  return codes.split(' ').map((code) => {
    const [red = 0, green = 0, blue = 0] = Buffer.from(code, 'hex');
    return [red, green, blue];
  });
}
