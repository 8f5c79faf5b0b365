/**
 * Returns the shortest decimal string of an amount (≥ 0) in a token's smallest units. For example,
 * 1_250_000n with 5 decimals gives "12.5".
 */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`;
}
