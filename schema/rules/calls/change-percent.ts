/** Returns (end - entry) / entry × 100. The prices are plain decimals, and the entry is above 0. */
export function changePercent(entryPrice: string, endPrice: string): number {
  const entry = Number(entryPrice);
  return ((Number(endPrice) - entry) / entry) * 100;
}

interface PricedCall {
  readonly entryPrice: string;
  readonly endPrice?: string | undefined;
  readonly lastPrice?: { readonly price: string } | undefined;
}

/** The change from the entry to the end, or to the current price of an active call. Null if that is unknown. */
export function changeSinceEntry({ entryPrice, endPrice, lastPrice }: PricedCall): number | null {
  const until = endPrice ?? lastPrice?.price;
  return until === undefined ? null : changePercent(entryPrice, until);
}

export function isWin(changeInPercent: number): boolean {
  return changeInPercent > 0;
}
