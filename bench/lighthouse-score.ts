export interface PaintFigures {
  /** In ms after the navigation, as all times here. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** The sum of the times that long tasks take beyond 50 ms, from the first paint on. */
  readonly blocking: number;
  readonly shift: number;
}

interface Curve {
  readonly figure: keyof PaintFigures;
  /** Lighthouse's weight, in percent. */
  readonly weight: number;
  /** The value with a score of 0.9, and the one with a score of 0.5. */
  readonly p10: number;
  readonly median: number;
}

/** Lighthouse 13, mobile. Without its speed index (10%), which needs a film of the page. */
const CURVES: readonly Curve[] = [
  { figure: 'firstPaint', weight: 10, p10: 1_800, median: 3_000 },
  { figure: 'largestPaint', weight: 25, p10: 2_500, median: 4_000 },
  { figure: 'blocking', weight: 30, p10: 200, median: 600 },
  { figure: 'shift', weight: 25, p10: 0.1, median: 0.25 },
];

/** Lighthouse's performance score from 0 to 100, from four of its five figures. */
export function performanceScore(figures: PaintFigures): number {
  const weights = CURVES.reduce((sum, { weight }) => sum + weight, 0);
  const score = CURVES.reduce((sum, curve) => sum + curve.weight * scoreOn(curve, figures[curve.figure]), 0);
  return (100 * score) / weights;
}

const INVERSE_ERFC_OF_A_FIFTH = 0.906_193_802_436_823_2;

/** From 0 to 1: the part of log-normally distributed pages that is slower. */
function scoreOn({ p10, median }: Curve, value: number): number {
  if (value <= 0) return 1;
  const place = (Math.log(value / median) * INVERSE_ERFC_OF_A_FIFTH) / -Math.log(p10 / median);
  return (1 - erf(place)) / 2;
}

/** Abramowitz and Stegun, 7.1.26. Its error is below 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.327_591_1 * Math.abs(x));
  const factors = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
  const sum = factors.reduceRight((rest, factor) => (rest + factor) * t, 0);
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
