import geistMono from './fonts/geist-mono-medium.bin';
import geistRegular from './fonts/geist-regular.bin';
import geistSemibold from './fonts/geist-semibold.bin';
import notoArabic from './fonts/noto-sans-arabic-bold.bin';
import notoHebrew from './fonts/noto-sans-hebrew-bold.bin';
import { readFontMetrics, type FontMetrics } from './font-metrics.ts';

/** What the rasteriser draws with. */
export const fontFiles: readonly ArrayBuffer[] = [geistRegular, geistSemibold, geistMono, notoArabic, notoHebrew];

/** One font file by the name that it has in an SVG. */
export interface CardFont {
  readonly family: string;
  readonly metrics: FontMetrics;
}

/** A way to set a text: its weight, and the fonts in the order in which they are asked for a character. */
export interface Face {
  readonly weight: number;
  readonly fonts: readonly [CardFont, ...CardFont[]];
}

const font = (family: string, file: ArrayBuffer): CardFont => ({ family, metrics: readFontMetrics(file) });
const arabic = font('Noto Sans Arabic', notoArabic);
const hebrew = font('Noto Sans Hebrew', notoHebrew);

export const faces = {
  regular: { weight: 400, fonts: [font('Geist', geistRegular), arabic, hebrew] },
  semibold: { weight: 600, fonts: [font('Geist', geistSemibold), arabic, hebrew] },
  mono: { weight: 500, fonts: [font('Geist Mono', geistMono)] },
} as const satisfies Record<string, Face>;
