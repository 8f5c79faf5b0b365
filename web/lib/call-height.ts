/* Up to here heights are nearly in proportion; beyond, they grow with the number of digits. */
const KNEE_PERCENT = 5;

/**
 * How high a change stands where calls are drawn: -1 to 1, on a logarithmic scale, so that +12% and +1,200%
 * both stay readable beside each other. `full` is the change (in percent, above 0) that fills the height.
 */
export function callHeight(percent: number, full: number): number {
  const height = Math.log1p(Math.abs(percent) / KNEE_PERCENT) / Math.log1p(full / KNEE_PERCENT);
  return Math.sign(percent) * Math.min(1, height);
}
