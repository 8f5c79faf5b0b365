import geistMono from './fonts/geist-mono-medium.bin';
import geistRegular from './fonts/geist-regular.bin';
import geistSemibold from './fonts/geist-semibold.bin';
import notoArabic from './fonts/noto-sans-arabic-bold.bin';
import notoHebrew from './fonts/noto-sans-hebrew-bold.bin';
import { readFontMetrics, type FontMetrics } from './font-metrics.ts';

/** What the rasteriser draws with. */
export const fontFiles: readonly ArrayBuffer[] = [geistRegular, geistSemibold, geistMono, notoArabic, notoHebrew];

/** A way to set a text: its SVG attributes, and the fonts in the order in which they are asked for a character. */
export interface Face {
  readonly attributes: string;
  readonly fonts: readonly FontMetrics[];
}

const arabic = readFontMetrics(notoArabic);
const hebrew = readFontMetrics(notoHebrew);
const sansFamily = "'Geist','Noto Sans Arabic','Noto Sans Hebrew'";

export const faces = {
  regular: { attributes: `font-family="${sansFamily}" font-weight="400"`, fonts: [readFontMetrics(geistRegular), arabic, hebrew] },
  semibold: { attributes: `font-family="${sansFamily}" font-weight="600"`, fonts: [readFontMetrics(geistSemibold), arabic, hebrew] },
  mono: { attributes: `font-family="'Geist Mono'" font-weight="500"`, fonts: [readFontMetrics(geistMono)] },
} as const satisfies Record<string, Face>;
