import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatMarketCap } from '#schema/rules/text/format.ts';
import { marketCapAt } from '#schema/rules/calls/market-cap.ts';

export interface MarketCapProps {
  call: Pick<TokenCall, 'entryPrice' | 'entryMarketCapUsd'>;
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
