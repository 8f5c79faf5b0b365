/** Returns (end - entry) / entry × 100. The prices are plain decimals, and the entry is above 0. */
export function changePercent(entryPrice: string, endPrice: string): number {
  const entry = Number(entryPrice);
  return ((Number(endPrice) - entry) / entry) * 100;
}

export function isWin(changeInPercent: number): boolean {
  return changeInPercent > 0;
}
