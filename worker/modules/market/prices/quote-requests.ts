import { MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import {
  decideQuote,
  mayMisjudgeAge,
  seenAt,
  usableQuotes,
  type ChainSlot,
  type FetchedPrice,
  type PricedQuote,
  type QuoteInput,
} from '#schema/rules/prices/quotes.ts';
import { UNKNOWN_SAFETY } from '#schema/rules/prices/token-safety.ts';
import { multiplierAt, unscaleQuotes, type MintScale } from '#schema/rules/prices/units.ts';
import type { Base } from '../../../app/base.ts';
import {
  BULK,
  SourceBackoffError,
  type PriceSource,
  type RequestPriority,
  type TokenIdentity,
  type TokenQuote,
} from '../../../ports/price-source.ts';
import { ifUnavailable } from '../../../ports/unavailable.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';

export interface FreshQuote {
  readonly price: string;
  readonly quotes: readonly TokenQuote[];
  /** The quotes that are fresh and have a known age. They confirm the price. */
  readonly usableQuotes: readonly TokenQuote[];
  readonly recordedSource: string;
  readonly token: TokenIdentity | null;
}

interface QuoteRequestsOptions {
  readonly sources: readonly PriceSource[];
  readonly readSlot: () => Promise<ChainSlot | null>;
  readonly chain: Pick<Base['chain'], 'blockTime' | 'mintScales'>;
  readonly clock: Base['clock'];
}

export function createQuoteRequests({ sources, readSlot, chain, clock }: QuoteRequestsOptions) {
  const readScales = (mints: readonly string[]) => chain.mintScales(mints).catch(ifUnavailable(null));

  /** @throws SourceBackoffError if we have used up a source's rate limit */
  const requestQuotes = async (mint: string, priority: RequestPriority) => {
    const [fetched, current, scales] = await Promise.all([
      Promise.all(sources.map((source) => source.quote(mint, priority))),
      readSlot(),
      readScales([mint]),
    ]);
    return readQuotes(fetched, { mint, current, scales });
  };

  const readQuotes = async (
    fetched: readonly TokenQuote[],
    { mint, current, scales }: { mint: string; current: ChainSlot | null; scales: Scales | null },
  ) => {
    const dated = await Promise.all(fetched.map((quote) => dateQuote(quote, current, chain)));
    const scale = scales?.get(mint);
    const now = clock.now();
    const unscaled = unscaleQuotes(dated, { scale, isRead: scales !== null, now });
    const multiplier = scale ? multiplierAt(scale, now) : null;
    const quotes = unscaled.quotes.map((quote) => ({ ...quote, multiplier }));
    return { ...unscaled, quotes, now };
  };

  return {
    requestQuotes,

    /**
     * The quotes of these mints that would end a call and on which two sources agree. Each source gets a request per batch,
     * which leaves out prices that aren't of DexScreener's primary pool. With `allPools`, DexScreener gets one per mint.
     * @returns null if we have used up a source's rate limit
     */
    async confirmedQuotes(
      mints: readonly string[],
      { allPools = false } = {},
    ): Promise<ReadonlyMap<string, FreshQuote> | null> {
      const request = allPools ? requestAllPools : requestBatch;
      try {
        const [found, current, scales] = await Promise.all([
          Promise.all(sources.map((source) => request(source, { mints, clock }))),
          readSlot(),
          readScales(mints),
        ]);
        const confirm = async (mint: string) => {
          const fetched = found.flatMap((quotes) => quotes.get(mint) ?? []);
          const input = await readQuotes(fetched, { mint, current, scales });
          const decision = decideQuote(input, 'end');
          if (input.unit !== 'known' || 'refusal' in decision) return [];
          const quote = describeQuotes(input, decision.recorded);
          return quote.usableQuotes.length >= MIN_RANKED_QUOTES ? [[mint, quote] as const] : [];
        };
        return new Map((await mapConcurrently(mints, confirm)).flat());
      } catch (error) {
        return error instanceof SourceBackoffError && !error.isFailing ? null : new Map();
      }
    },
  };
}

type Scales = ReadonlyMap<string, MintScale | null | undefined>;

interface BatchRequest {
  readonly mints: readonly string[];
  readonly clock: Base['clock'];
}

/** Leaves out unknown mints. @throws if the source fails */
async function requestBatch(
  source: PriceSource,
  { mints, clock }: BatchRequest,
): Promise<ReadonlyMap<string, TokenQuote>> {
  const found = await source.tokens(mints, BULK);
  const quotes = [...found].map(([mint, { symbol, name, logoURI, ...facts }]): [string, TokenQuote] => [
    mint,
    {
      ...facts,
      source: source.name,
      failure: facts.price === null ? 'absent' : null,
      sentPrice: null,
      quotedAt: clock.now(),
      blockId: facts.priceBlockId,
      poolCreatedAt: facts.createdAt,
      token: { symbol, name, logoURI },
    },
  ]);
  return new Map(quotes);
}

const UNNAMED = {
  failure: null,
  sentPrice: null,
  volume24hUsd: null,
  poolCreatedAt: null,
  marketCapUsd: null,
  token: null,
  safety: UNKNOWN_SAFETY,
};

/** Only prices are certain: a batch of prices also has those of tokens that the source doesn't list. @throws if the source fails */
async function requestAllPools(
  source: PriceSource,
  { mints, clock }: BatchRequest,
): Promise<ReadonlyMap<string, TokenQuote>> {
  if (source.readsOnePool) {
    return new Map(
      await mapConcurrently(mints, async (mint) => [mint, await source.quote(mint, BULK)] as const),
    );
  }
  const found = await source.prices(mints, BULK);
  const at = { source: source.name, quotedAt: clock.now() };
  return new Map([...found].map(([mint, sent]) => [mint, { ...UNNAMED, ...sent, ...at }]));
}

export function describeQuotes(input: QuoteInput<TokenQuote>, recorded: PricedQuote): FreshQuote {
  return {
    price: recorded.price,
    quotes: input.quotes,
    usableQuotes: usableQuotes(input),
    recordedSource: recorded.source,
    token: input.quotes.find((quote) => quote.token !== null)?.token ?? null,
  };
}

/** Sets the time at which the source saw the price. The quote fails if that isn't known. */
async function dateQuote(
  quote: TokenQuote,
  current: ChainSlot | null,
  chain: QuoteRequestsOptions['chain'],
): Promise<TokenQuote> {
  const { price, blockId, quotedAt: fetchedAt } = quote;
  const { at, isKnown } = await datePrice({ fetchedAt, blockId, current }, chain);
  return { ...quote, failure: price === null || isKnown ? quote.failure : 'undated', quotedAt: at };
}

/** Asks for the block's time if slots can't tell whether the price is stale. */
async function datePrice(price: FetchedPrice, chain: QuoteRequestsOptions['chain']) {
  const { fetchedAt, blockId, current } = price;
  const at = seenAt(price);
  if (blockId === null) return { at, isKnown: true };
  if (current === null) return { at, isKnown: false };
  if (!mayMisjudgeAge({ at, now: fetchedAt })) return { at, isKnown: true };
  const blockTime = await chain.blockTime(blockId).catch(ifUnavailable(null));
  if (blockTime === null) return { at, isKnown: false };
  return { at: Math.min(fetchedAt, blockTime), isKnown: true };
}
