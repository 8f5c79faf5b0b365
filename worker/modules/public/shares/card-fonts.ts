import geistMono from './fonts/geist-mono-medium.bin';
import geistNotoRegular from './fonts/geist-noto-regular.bin';
import geistNotoSemibold from './fonts/geist-noto-semibold.bin';
import { readFontMetrics, type FontMetrics } from './font-metrics.ts';

export const fontFiles: readonly ArrayBuffer[] = [geistNotoRegular, geistNotoSemibold, geistMono];

export interface Face {
  readonly family: string;
  readonly weight: number;
  readonly metrics: FontMetrics;
}

export const faces = {
  regular: { family: 'Geist', weight: 400, metrics: readFontMetrics(geistNotoRegular) },
  semibold: { family: 'Geist', weight: 600, metrics: readFontMetrics(geistNotoSemibold) },
  mono: { family: 'Geist Mono', weight: 500, metrics: readFontMetrics(geistMono) },
} as const satisfies Record<string, Face>;
