import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { youngerPrice } from '#schema/rules/prices/price-age.ts';

export function livePricesOf(calls: readonly TokenCall[] = []): ShownPrices {
  return Object.fromEntries(
    calls.flatMap(({ tokenMint, lastPrice }) => (lastPrice === undefined ? [] : [[tokenMint, lastPrice]])),
  );
}

export function currentPriceOf(
  call: Pick<TokenCall, 'tokenMint' | 'lastPrice'>,
  prices: ShownPrices | undefined,
): ShownPrice | undefined {
  return youngerPrice(prices?.[call.tokenMint], call.lastPrice);
}
