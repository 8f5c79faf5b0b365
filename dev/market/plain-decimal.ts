/**
 * Formats a number as decimal text without an exponent, as DexScreener writes prices. For example, `1e-12`
 * becomes `0.000000000001`. Text is returned unchanged.
 */
export function plainDecimal(value: number | string): string {
  if (typeof value === 'string' || !Number.isFinite(value)) return String(value);
  const text = String(value);
  const [mantissa = '', exponentText] = text.split('e');
  if (exponentText === undefined) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponentText);
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
