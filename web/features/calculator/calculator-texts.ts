import { formatUsd } from '#schema/rules/text/format.ts';

/** '+$43', '-$19' or '$0', in whole dollars. */
export function formatGain(usd: number): string {
  const rounded = Math.round(usd);
  if (rounded === 0) return '$0';
  return `${rounded > 0 ? '+' : '-'}${formatUsd(Math.abs(rounded))}`;
}

/** '64% of the time' */
export function formatShare(share: number): string {
  return `${Math.round(share * 100)}% of the time`;
}
