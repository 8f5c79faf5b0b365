import { formatChange, grouped } from './format.ts';

export const formatGain = (usd: number): string => signed(usd, 0);

/** '+$9.80', '-$0.05' or '$0'. */
export const formatExactGain = (usd: number): string => signed(usd, 2);

function signed(usd: number, decimals: number): string {
  const text = grouped(Math.abs(usd), decimals);
  if (!/[1-9]/.test(text)) return '$0';
  return `${usd > 0 ? '+' : '-'}$${text}`;
}

export interface PaperEnd {
  readonly symbol: string;
  readonly changePercent: number;
  /** The result of the imagined amount in USD. Null if the call has none. Undefined if the caller is only watched. */
  readonly gainUsd: number | null | undefined;
}

/** 'JUP ended +12.0%. On paper: +$9.80.' */
export function describePaperEnd({ symbol, changePercent, gainUsd }: PaperEnd): string {
  const ended = `${symbol} ended ${formatChange(changePercent)}.`;
  if (gainUsd === undefined) return ended;
  return `${ended} On paper: ${gainUsd === null ? 'no result, because there was no price a minute later' : formatExactGain(gainUsd)}.`;
}
