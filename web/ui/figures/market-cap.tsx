import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatMarketCap } from '#schema/rules/text/format.ts';
import { marketCapAt } from '#schema/rules/calls/market-cap.ts';

type CappedCall = Pick<TokenCall, 'entryPrice' | 'entryMarketCapUsd'>;

export interface MarketCapProps {
  call: CappedCall;
  /** The price at which to show the market cap, as a decimal string in USD. */
  price: string | undefined;
}

/**
 * Shows the market cap of a call's token at a price, below that price. Renders nothing if the market cap is
 * unknown.
 */
export function MarketCap({ call, price }: MarketCapProps) {
  const cap = price === undefined ? null : marketCapAt(call, price);
  if (cap === null) return null;
  return (
    <span className="figures note">
      <abbr title="Market cap" className="no-underline">
        MC
      </abbr>{' '}
      {formatMarketCap(cap)}
    </span>
  );
}

/**
 * Describes the market caps at a call's entry and at its end or now: '$1.8B → $2.4B'. Null if the market cap
 * at the entry is unknown.
 */
export function describeMarketCaps(call: CappedCall, price: string | undefined): string | null {
  const entry = marketCapAt(call, call.entryPrice);
  if (entry === null) return null;
  const until = price === undefined ? null : marketCapAt(call, price);
  return until === null ? formatMarketCap(entry) : `${formatMarketCap(entry)} → ${formatMarketCap(until)}`;
}
