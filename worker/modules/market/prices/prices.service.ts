import { UNPRICED_END_MS } from '#schema/constants/market.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { SolPrice } from '#schema/contracts/prices.ts';
import {
  decideQuote,
  isUnpriced,
  lowestQuote,
  type CallSide,
  type QuoteInput,
} from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import { SourceBackoffError } from '../../../ports/price-source.ts';
import { ifUnavailable } from '../../../ports/unavailable.ts';
import { describeErrorWithStack } from '../../../shared/describe-error.ts';
import { describePrice } from './price-cache.ts';
import type { PriceStore } from './price-store.ts';
import { createPricesBusyError, createQuoteRefusedError } from './prices.errors.ts';
import { createQuoteRequests, describeQuotes, type FreshQuote } from './quote-requests.ts';
import { createShownPrices, type ShownPricesOptions } from './shown-prices.ts';
import { createTokenLookup } from './token-lookup.ts';
import { createTokenNames } from './token-names.ts';

export interface QuoteRequest {
  readonly mint: string;
  readonly userId: string;
  readonly side: CallSide;
}

export type PricesService = ReturnType<typeof createPricesService>;

export interface PricesServiceOptions extends ShownPricesOptions {
  readonly chain: Pick<Base['chain'], 'blockTime' | 'mintScales'>;
}

export function createPricesService(options: PricesServiceOptions) {
  const { sources, store, chain, clock } = options;
  const { requestQuotes, confirmedQuotes } = createQuoteRequests(options);

  /** Slots may have had other lengths during the week, so this needs the times of the prices' blocks. */
  const isUnpricedOnChain = async (input: QuoteInput): Promise<boolean> => {
    if (!isUnpriced(input)) return false;
    const slots = input.quotes.flatMap(({ blockId }) => blockId ?? []);
    const times = await Promise.all(slots.map((slot) => chain.blockTime(slot).catch(ifUnavailable(null))));
    return times.every((at) => at !== null && at <= input.now - UNPRICED_END_MS);
  };

  return {
    ...createTokenNames({ sources, clock }),
    ...createShownPrices(options),
    ...createTokenLookup(options),
    confirmedQuotes,

    /**
     * Asks all sources now, without a cache.
     * @throws prices.unavailable, prices.missing, prices.stale, prices.undated, prices.unit_unknown,
     *   prices.disagree, prices.busy
     */
    async freshQuote({ mint, userId, side }: QuoteRequest): Promise<FreshQuote> {
      const input = await requestQuotes(mint, { isUrgent: true, person: userId }).catch((error: unknown) => {
        if (!(error instanceof SourceBackoffError)) throw error;
        throw createPricesBusyError({ side, waitMs: error.retryAt - clock.now() });
      });
      if (input.unit !== 'known') throw createQuoteRefusedError('unit_unknown', side);
      const decision = decideQuote(input, side);
      if ('refusal' in decision) throw createQuoteRefusedError(decision.refusal, side);
      return describeQuotes(input, decision.recorded);
    },

    /** Like `freshQuote`, but with low priority, for the cron. Never throws, so that one token can't stop the others. */
    async backgroundQuote(mint: string) {
      try {
        const input = await requestQuotes(mint, { isUrgent: false, person: null });
        const decision = decideQuote(input, 'end');
        const lowest = input.unit === 'unknown' ? null : lowestQuote(input);
        return {
          quotes: input.quotes,
          fresh:
            input.unit !== 'known' || 'refusal' in decision ? null : describeQuotes(input, decision.recorded),
          lowest: lowest && describeQuotes(input, lowest),
          isUnpriced: await isUnpricedOnChain(input),
        };
      } catch (error) {
        if (!(error instanceof SourceBackoffError)) {
          console.error(
            JSON.stringify({ event: 'prices.quote_failed', error: describeErrorWithStack(error) }),
          );
        }
        return { quotes: [], fresh: null, lowest: null, isUnpriced: false };
      }
    },

    solPrice: () => readSolPrice(store),
  };
}

/**
 * The cron refreshes this price even if nobody has called SOL, so it reveals no call. Its time is a whole
 * minute, because the exact time would show how many mints were refreshed before it.
 */
async function readSolPrice(store: Pick<PriceStore, 'read'>): Promise<SolPrice> {
  const stored = (await store.read([WRAPPED_SOL_MINT])).get(WRAPPED_SOL_MINT);
  if (stored === undefined) return { sol: null };
  return { sol: describePrice({ ...stored, at: stored.at - (stored.at % MINUTE_MS) }) };
}
