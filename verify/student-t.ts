const CONFIDENCE = 0.95;
const BISECTIONS = 60;

/** The quantile of Student's t for a two-sided 95% confidence interval. The degrees of freedom may be a fraction. */
export function studentT(degrees: number): number {
  // t² / (degrees + t²) has a beta distribution.
  const [a, b] = [0.5, degrees / 2];
  const whole = betaUntil(0.5, a, b) + betaUntil(0.5, b, a);
  let [low, high] = [0, 0.5];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (low + high) / 2;
    if (betaUntil(middle, a, b) < CONFIDENCE * whole) low = middle;
    else high = middle;
  }
  return Math.sqrt((degrees * low) / (1 - low));
}

/** The incomplete beta function from 0 to x, as a series of positive terms. */
function betaUntil(x: number, a: number, b: number): number {
  let term = (x ** a * (1 - x) ** b) / a;
  let sum = term;
  for (let step = 0; term > sum * 1e-17; step += 1) {
    term *= (x * (a + b + step)) / (a + 1 + step);
    sum += term;
  }
  return sum;
}
