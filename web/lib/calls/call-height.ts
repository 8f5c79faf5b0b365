/** Heights grow almost linearly up to a change of this many percent and logarithmically above it. */
const KNEE_PERCENT = 5;

/**
 * The height of a change in a chart, from -1 to 1. Logarithmic, so that +12% and +1,200% are both readable.
 * A change of `full` percent (above 0) fills the height.
 */
export function callHeight(percent: number, full: number): number {
  const height = Math.log1p(Math.abs(percent) / KNEE_PERCENT) / Math.log1p(full / KNEE_PERCENT);
  return Math.sign(percent) * Math.min(1, height);
}
