import { hashText, pickFrom, unitFrom } from '../market/noise.ts';
import { encodePng } from './png.ts';

type Colour = readonly [red: number, green: number, blue: number];
/** A shape in the unit square; later shapes cover earlier ones. */
type Shape = { colour: Colour; covers: (x: number, y: number) => boolean };

const SAMPLES = 3;
const grounds = palette(
  '264653 e76f51 2a9d8f e9c46a 6d597a 355070 b56576 4c6ef5 606c38 d68c45 457b9d 833860',
);
const skins = palette('ffe0c4 f1c2a0 e0ac7d c6865c a16642 7a4a2e 583624');
const hairs = palette('1c181c 3e281e 704222 b07032 deb262 96969e a03428 403c6e');
const cloths = palette('f5f1e8 1d3557 e63946 14141a f4a261 a8dadc 789064 ffc857');

/**
 * Draws a flat portrait as PNG, with background, shoulders, head, hair and, for some, glasses or a hat. The
 * same name gives the same portrait.
 */
export function portraitPng({ name, size }: { name: string; size: number }): Buffer {
  const shapes = portraitShapes(name);
  const rgb = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) rgb.set(averageColour({ shapes, x, y, size }), (y * size + x) * 3);
  }
  return encodePng({ width: size, height: size, rgb });
}

interface AverageColourOptions {
  shapes: readonly Shape[];
  x: number;
  y: number;
  size: number;
}

function averageColour({ shapes, x, y, size }: AverageColourOptions): number[] {
  const sum = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const u = (x + ((sample % SAMPLES) + 0.5) / SAMPLES) / size;
    const v = (y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size;
    const top = shapes.findLast((shape) => shape.covers(u, v));
    top?.colour.forEach((part, index) => (sum[index] = (sum[index] ?? 0) + part));
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
    const ring = (centre: number) => (x: number, y: number) =>
      ellipse(centre, 0.45, 0.07, 0.065)(x, y) && !ellipse(centre, 0.45, 0.055, 0.05)(x, y);
    return [
      { colour: frame, covers: ring(0.42) },
      { colour: frame, covers: ring(0.58) },
      { colour: frame, covers: (x, y) => Math.abs(x - 0.5) < 0.014 && Math.abs(y - 0.445) < 0.008 },
    ];
  }
  if (choice === 1) {
    return [
      { colour: cloth, covers: (x, y) => ellipse(0.5, 0.33, 0.205, 0.175)(x, y) && y < 0.335 },
      { colour: shade(cloth, 0.8), covers: (x, y) => Math.abs(x - 0.5) < 0.215 && y > 0.3 && y < 0.345 },
    ];
  }
  if (choice === 2 && style > 2) {
    return [
      {
        colour: hair,
        covers: (x, y) =>
          ellipse(0.5, 0.5, 0.17, 0.165)(x, y) && y > 0.53 && !ellipse(0.5, 0.545, 0.05, 0.018)(x, y),
      },
    ];
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
