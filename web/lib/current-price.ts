import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { youngerPrice } from '#schema/rules/price-age.ts';

/** What a call's token costs now, as far as the page knows: the prices it asked for, or the last one that came with the call. */
export function currentPriceOf(
  call: Pick<TokenCall, 'tokenMint' | 'lastPrice'>,
  prices: ShownPrices | undefined,
): ShownPrice | undefined {
  return youngerPrice(prices?.[call.tokenMint], call.lastPrice);
}
