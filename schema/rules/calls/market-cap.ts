interface CapQuote {
  readonly source: string;
  readonly price: string | null;
  readonly marketCapUsd: number | null;
}

interface MarketCapInput {
  readonly quotes: readonly CapQuote[];
  readonly recordedSource: string;
  readonly price: string;
}

/**
 * Returns the market cap at a call's recorded entry price, in whole USD, as the price's source reported it.
 * If that market cap isn't plausible, uses the other source's, scaled to the recorded price. Null if neither
 * is plausible.
 */
export function recordedMarketCap({ quotes, recordedSource, price }: MarketCapInput): number | null {
  const caps = quotes.toSorted(
    (one, other) => Number(other.source === recordedSource) - Number(one.source === recordedSource),
  );
  for (const { price: ownPrice, marketCapUsd } of caps) {
    if (ownPrice === null || marketCapUsd === null) continue;
    const cap = Math.round((marketCapUsd / Number(ownPrice)) * Number(price));
    if (cap > 0 && Number.isSafeInteger(cap)) return cap;
  }
  return null;
}

interface CappedCall {
  readonly entryPrice: string;
  readonly entryMarketCapUsd: number | null;
}

/**
 * Returns the market cap of a call's token at another price in USD. Assumes that the supply hasn't changed
 * since the entry. Null if the market cap at the entry is unknown.
 */
export function marketCapAt({ entryPrice, entryMarketCapUsd }: CappedCall, price: string): number | null {
  return entryMarketCapUsd == null ? null : (entryMarketCapUsd / Number(entryPrice)) * Number(price);
}
