// Exact fractions for the tests' models, which don't use the rules' own arithmetic.

export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function read(value: string | number): Fraction {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', decimals = ''] = digits.split('.');
  const numerator = BigInt(whole + decimals);
  const places = BigInt(decimals.length) - BigInt(exponent);
  return places < 0n
    ? { numerator: numerator * 10n ** -places, denominator: 1n }
    : { numerator, denominator: 10n ** places };
}

export const multiply = (one: Fraction, other: Fraction): Fraction => ({
  numerator: one.numerator * other.numerator,
  denominator: one.denominator * other.denominator,
});
export const divide = (one: Fraction, { numerator, denominator }: Fraction): Fraction =>
  multiply(one, { numerator: denominator, denominator: numerator });
export const add = (one: Fraction, other: Fraction): Fraction => ({
  numerator: one.numerator * other.denominator + other.numerator * one.denominator,
  denominator: one.denominator * other.denominator,
});
export const subtract = (one: Fraction, { numerator, denominator }: Fraction): Fraction =>
  add(one, { numerator: -numerator, denominator });

/** Rounds a fraction to the nearest whole number. A half is rounded up. */
export function rounded({ numerator, denominator }: Fraction): number {
  const [doubled, double] = [2n * numerator + denominator, 2n * denominator];
  const cut = doubled / double;
  return Number(doubled % double < 0n ? cut - 1n : cut);
}

export const sumOf = (values: readonly Fraction[]) => values.reduce(add, read(0));
export const meanOf = (values: readonly Fraction[]) => divide(sumOf(values), read(values.length));
