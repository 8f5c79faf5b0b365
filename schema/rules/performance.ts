/** The change from entry to end in percent: (end - entry) / entry × 100. Both are plain decimals above 0, in USD. */
export function changePercent(entryPrice: string, endPrice: string): number {
  const entry = Number(entryPrice);
  return ((Number(endPrice) - entry) / entry) * 100;
}

/** Whether an ended call counts as won: its end price is above its entry price. */
export function isWin(changeInPercent: number): boolean {
  return changeInPercent > 0;
}

/** The share of won calls in percent, or `null` without an ended call. */
export function winRate(changesInPercent: readonly number[]): number | null {
  if (changesInPercent.length === 0) return null;
  return (changesInPercent.filter(isWin).length / changesInPercent.length) * 100;
}

/** The mean change of ended calls in percent, or `null` without one. */
export function averageReturn(changesInPercent: readonly number[]): number | null {
  if (changesInPercent.length === 0) return null;
  return changesInPercent.reduce((sum, change) => sum + change, 0) / changesInPercent.length;
}
