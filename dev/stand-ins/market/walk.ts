import { hashText, hashToUnit, valueNoise } from './noise.ts';
import { findToken } from './tokens.ts';

/** Another seed gives other prices. */
const SEED = 'solcallers';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The logarithm of a price is the sum of these waves. Slow waves move a price by 5x or -70% within weeks.
 * Fast waves move it a little between two polls.
 */
const octaves = [
  { period: 47 * DAY, amplitude: 0.85 },
  { period: 17 * DAY, amplitude: 0.5 },
  { period: 6 * DAY, amplitude: 0.3 },
  { period: 36 * HOUR, amplitude: 0.15 },
  { period: 9 * HOUR, amplitude: 0.07 },
  { period: 2 * HOUR, amplitude: 0.03 },
  { period: 27 * MINUTE, amplitude: 0.014 },
  { period: 7 * MINUTE, amplitude: 0.007 },
  { period: 90 * SECOND, amplitude: 0.003 },
  { period: 20 * SECOND, amplitude: 0.0012 },
];

type Wave = (typeof octaves)[number] & { readonly phase: number; readonly key: number };
const waves = new Map<string, readonly Wave[]>();

const STABLE_COIN_WOBBLE = 0.0004;

/**
 * Returns a token's USD price at a time, or null if the token has no price. The price depends only on mint
 * and time, so the seed script, the tests and a running server get the same prices.
 */
export function priceAt(mint: string, timeMs: number): number | null {
  const token = findToken(mint);
  if (token === undefined || token.anchorPrice === null) return null;
  const strength = token.volatility === 0 ? STABLE_COIN_WOBBLE : token.volatility;
  let logarithm = Math.log(token.anchorPrice);
  for (const { period, amplitude, phase, key } of wavesOf(mint)) {
    logarithm += strength * amplitude * valueNoise({ key, position: timeMs / period + phase });
  }
  return Number(Math.exp(logarithm).toPrecision(12));
}

function wavesOf(mint: string): readonly Wave[] {
  const name = `${SEED} ${mint}`;
  const known = waves.get(name);
  if (known) return known;
  const created = octaves.map((octave, index) => ({
    ...octave,
    phase: hashToUnit(`phase ${name} ${index}`),
    key: hashText(`${name} ${index}`),
  }));
  waves.set(name, created);
  return created;
}

/** The change in percent over the period before `timeMs`; null if the token has no price. */
export function percentChange(options: { mint: string; timeMs: number; overMs: number }): number | null {
  const after = priceAt(options.mint, options.timeMs);
  const before = priceAt(options.mint, options.timeMs - options.overMs);
  if (after === null || before === null) return null;
  return Number((((after - before) / before) * 100).toFixed(6));
}
