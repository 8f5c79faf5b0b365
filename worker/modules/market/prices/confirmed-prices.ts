import { MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import {
  decideQuote,
  mayMisjudgeAge,
  seenAt,
  usableQuotes,
  type ChainSlot,
  type FetchedPrice,
  type SourceQuote,
} from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import { BULK, SourceBackoffError, type PriceSource } from '../../../ports/price-source.ts';
import { ifUnavailable } from '../../../ports/unavailable.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';

interface ConfirmedPricesOptions {
  readonly sources: readonly PriceSource[];
  readonly readSlot: () => Promise<ChainSlot | null>;
  readonly chain: Pick<Base['chain'], 'blockTime'>;
  readonly clock: Base['clock'];
}

export function createConfirmedPrices({ sources, readSlot, chain, clock }: ConfirmedPricesOptions) {
  /** Requests the prices of many mints. Returns each mint's quote. */
  const requestBatch = async (source: PriceSource, mints: readonly string[]) => {
    const found = await source.prices(mints, BULK);
    const others = { source: source.name, quotedAt: clock.now(), volume24hUsd: null, poolCreatedAt: null };
    return (mint: string): SourceQuote => {
      const sent = found.get(mint);
      return sent === undefined
        ? { price: null, failure: 'absent', blockId: null, liquidityUsd: null, ...others }
        : { ...sent, failure: null, ...others };
    };
  };

  return {
    /**
     * The fresh prices of these mints on which two sources agree: those that would end a call. Each source gets a request per
     * batch, which leaves out the prices of scaled tokens and those that aren't of the primary pool.
     * @returns null if we have used up a source's rate limit
     */
    async confirmedPrices(mints: readonly string[]): Promise<ReadonlyMap<string, string> | null> {
      const current = readSlot();
      try {
        const responses = await Promise.all(sources.map((source) => requestBatch(source, mints)));
        const confirm = async (mint: string) => {
          const quotes = responses.map(async (quoteOf) => dateQuote(quoteOf(mint), await current, chain));
          const input = { quotes: await Promise.all(quotes), now: clock.now() };
          const decision = decideQuote(input, 'end');
          const isConfirmed = usableQuotes(input).length >= MIN_RANKED_QUOTES;
          return isConfirmed && 'recorded' in decision ? [[mint, decision.recorded.price] as const] : [];
        };
        return new Map((await mapConcurrently(mints, confirm)).flat());
      } catch (error) {
        return error instanceof SourceBackoffError && !error.isFailing ? null : new Map<string, string>();
      }
    },
  };
}

/** Sets the time at which the source saw the price. The quote fails if that isn't known. */
export async function dateQuote<Quote extends SourceQuote>(
  quote: Quote,
  current: ChainSlot | null,
  chain: ConfirmedPricesOptions['chain'],
): Promise<Quote> {
  const { price, blockId, quotedAt: fetchedAt } = quote;
  const { at, isKnown } = await datePrice({ fetchedAt, blockId, current }, chain);
  return { ...quote, failure: price === null || isKnown ? quote.failure : 'undated', quotedAt: at };
}

/** Asks for the block's time if slots can't tell whether the price is stale. */
async function datePrice(price: FetchedPrice, chain: ConfirmedPricesOptions['chain']) {
  const { fetchedAt, blockId, current } = price;
  const at = seenAt(price);
  if (blockId === null) return { at, isKnown: true };
  if (current === null) return { at, isKnown: false };
  if (!mayMisjudgeAge({ at, now: fetchedAt })) return { at, isKnown: true };
  const blockTime = await chain.blockTime(blockId).catch(ifUnavailable(null));
  if (blockTime === null) return { at, isKnown: false };
  return { at: Math.min(fetchedAt, blockTime), isKnown: true };
}
