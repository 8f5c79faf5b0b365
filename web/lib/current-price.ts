import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { youngerPrice } from '#schema/rules/price-age.ts';

/** The newer of the polled price and the call's own last price. */
export function currentPriceOf(
  call: Pick<TokenCall, 'tokenMint' | 'lastPrice'>,
  prices: ShownPrices | undefined,
): ShownPrice | undefined {
  return youngerPrice(prices?.[call.tokenMint], call.lastPrice);
}
