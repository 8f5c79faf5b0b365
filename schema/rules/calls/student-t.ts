const CONFIDENCE = 0.95;
const STEPS = 400;
const NEWTON_STEPS = 5;

/** The quantile of Student's t for a two-sided 95% confidence interval. The degrees of freedom may be a fraction. */
export function studentT(degrees: number): number {
  // With t = √degrees × tan(angle), the density is a power of the cosine.
  const density = (angle: number) => Math.cos(angle) ** (degrees - 1);
  const wanted = CONFIDENCE * integrate(density, Math.PI / 2);
  let angle = Math.atan(2 / Math.sqrt(degrees));
  for (let step = 0; step < NEWTON_STEPS; step++) {
    angle += (wanted - integrate(density, angle)) / density(angle);
  }
  return Math.sqrt(degrees) * Math.tan(angle);
}

/** Simpson's rule from 0 to `end`. */
function integrate(density: (angle: number) => number, end: number): number {
  let sum = density(0) + density(end);
  for (let step = 1; step < STEPS; step++) sum += (step % 2 === 0 ? 2 : 4) * density((end * step) / STEPS);
  return (sum * end) / (3 * STEPS);
}
