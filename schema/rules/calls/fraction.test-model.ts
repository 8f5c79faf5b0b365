// For models of tests: exact fractions, without the rules' own arithmetic.

export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export function read(value: string | number): Fraction {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', decimals = ''] = digits.split('.');
  const over = BigInt(whole + decimals);
  const places = BigInt(decimals.length) - BigInt(exponent);
  return places < 0n ? { over: over * 10n ** -places, under: 1n } : { over, under: 10n ** places };
}

export const times = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.over,
  under: one.under * other.under,
});
export const through = (one: Fraction, { over, under }: Fraction): Fraction =>
  times(one, { over: under, under: over });
export const plus = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
});
export const minus = (one: Fraction, { over, under }: Fraction): Fraction =>
  plus(one, { over: -over, under });

/** Rounds a fraction to the nearest whole number. A half is rounded up. */
export function rounded({ over, under }: Fraction): number {
  const [doubled, double] = [2n * over + under, 2n * under];
  const cut = doubled / double;
  return Number(doubled % double < 0n ? cut - 1n : cut);
}

export const sumOf = (values: readonly Fraction[]) => values.reduce(plus, read(0));
export const meanOf = (values: readonly Fraction[]) => through(sumOf(values), read(values.length));
