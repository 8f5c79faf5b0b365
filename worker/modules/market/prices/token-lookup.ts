import { MINUTE_MS } from '#schema/constants/time.ts';
import type { LookAlike, TokenLookup } from '#schema/contracts/prices.ts';
import { findLookAlikes, canonicalForms } from '#schema/rules/prices/look-alike.ts';
import { isPublicKey } from '#schema/rules/text/base58.ts';
import type { TokenReference } from '#schema/rules/text/token-link.ts';
import { isStale, seenAt } from '#schema/rules/prices/quotes.ts';
import { isUnscaled } from '#schema/rules/prices/units.ts';
import { AppError } from '../../../app/errors.ts';
import type { Chain } from '../../../adapters/solana-rpc.ts';
import { ifUnavailable } from '../../../ports/unavailable.ts';
import type { PriceSource, TokenFacts } from '../../../ports/price-source.ts';
import { requestSources } from './request-sources.ts';
import { VISITORS, type ShownPricesOptions } from './shown-prices.ts';

type DatedFacts = TokenFacts & { readonly seenAt: number };

interface LookupOptions extends Pick<
  ShownPricesOptions,
  'sources' | 'publicPrices' | 'takeUnknownMint' | 'readSlot' | 'clock'
> {
  readonly chain: Pick<Chain, 'mintScales'>;
}

export interface TokenRequest {
  readonly mint: string;
  readonly viewerId: string | null;
  /** The network of the request, which limits anonymous visitors. */
  readonly network: string;
}

/** Look-alikes change rarely, but a token's page repeats its request every ten seconds. */
const LOOK_ALIKES_KEPT_MS = 10 * MINUTE_MS;
const MAX_KEPT = 500;

export function createTokenLookup(options: LookupOptions) {
  const { sources, publicPrices, takeUnknownMint, clock } = options;
  /** Cached per person, because a fast shared response would reveal what others have looked up. */
  const saved = new Map<string, { readonly at: number; readonly lookAlikes: readonly LookAlike[] }>();

  const findLookAlikes = async (token: TokenFacts, person: string): Promise<readonly LookAlike[] | null> => {
    const key = `${person} ${token.mint}`;
    const known = saved.get(key);
    if (known !== undefined && known.at > clock.now() - LOOK_ALIKES_KEPT_MS) return known.lookAlikes;
    const lookAlikes = await searchLookAlikes(token, { sources, person });
    if (lookAlikes === null) return null;
    if (saved.size >= MAX_KEPT) saved.clear();
    saved.set(key, { at: clock.now(), lookAlikes });
    return lookAlikes;
  };

  return {
    /** The mint that an address or a link names. Null if no source knows the link's pool. */
    async findMint(reference: TokenReference, person: string): Promise<string | null> {
      if ('mint' in reference) return reference.mint;
      const { pool } = reference;
      for (const source of sources) {
        const mint = await source.findMintOfPool?.(pool, { isUrgent: false, person }).catch(() => null);
        if (mint) return mint;
      }
      // Links may have a mint instead of a pool.
      return isPublicKey(pool) ? pool : null;
    },

    /**
     * A token, fetched now. The response isn't shared with anybody else. The name comes from the first source
     * that knows the token. The next source adds missing facts, and replaces a stale price with a newer one.
     * @throws tokens.not_found, tokens.too_many_lookups, prices.unavailable
     */
    async lookupToken({ mint, viewerId, network }: TokenRequest): Promise<TokenLookup> {
      if (viewerId === null && !(await publicPrices.isPublic(mint)) && !(await takeUnknownMint(network))) {
        throw new AppError({ code: 'tokens.too_many_lookups', waitMs: MINUTE_MS });
      }
      const person = viewerId ?? VISITORS;
      const facts = await requestFacts({ ...options, mint, person }).catch(() => {
        throw new AppError({ code: 'prices.unavailable' });
      });
      if (!facts) throw new AppError({ code: 'tokens.not_found' });
      const { priceBlockId: _, createdAt, seenAt: at, ...shown } = facts;
      return {
        ...shown,
        createdAt: createdAt === null ? null : new Date(createdAt).toISOString(),
        lookAlikes: await findLookAlikes(facts, person),
        at: new Date(at).toISOString(),
      };
    },
  };
}

interface FactsRequest extends Pick<LookupOptions, 'sources' | 'readSlot' | 'chain' | 'clock'> {
  readonly mint: string;
  readonly person: string;
}

async function requestFacts(request: FactsRequest): Promise<DatedFacts | undefined> {
  const { sources, readSlot, chain, clock, mint, person } = request;
  const isOld = (at: number) => isStale({ at, now: clock.now() });
  const current = readSlot();
  const { responses } = await requestSources<DatedFacts>({
    sources,
    mints: [mint],
    sendRequest: async (source, open) => {
      const fetchedAt = clock.now();
      const [tokens, slot] = await Promise.all([source.tokens(open, { isUrgent: false, person }), current]);
      const facts = tokens.get(mint);
      if (facts === undefined) return new Map();
      const readScale = async () => ({
        scale: (await chain.mintScales([mint]).catch(ifUnavailable(null)))?.get(mint),
        now: fetchedAt,
      });
      const price = source.statesUnits || isUnscaled(facts, await readScale()) ? facts.price : null;
      const blockId = price === null ? null : facts.priceBlockId;
      return new Map([[mint, { ...facts, price, seenAt: seenAt({ fetchedAt, blockId, current: slot }) }]]);
    },
    isIncomplete: (known) => known.price === null || isOld(known.seenAt) || hasGaps(known),
    merge: (known, next) => mergeFacts(known, next, isOld),
    clock,
  });
  return responses.get(mint);
}

const hasGaps = ({ liquidityUsd, volume24hUsd, createdAt }: TokenFacts) =>
  [liquidityUsd, volume24hUsd, createdAt].includes(null);

function mergeFacts(known: DatedFacts, next: DatedFacts, isOld: (at: number) => boolean): DatedFacts {
  const isNewer =
    next.price !== null && (known.price === null || (isOld(known.seenAt) && next.seenAt > known.seenAt));
  const { price, multiplier, priceBlockId, seenAt: at } = next;
  return {
    ...known,
    logoURI: known.logoURI ?? next.logoURI,
    ...(isNewer ? { price, multiplier, priceBlockId, seenAt: at } : {}),
    liquidityUsd: known.liquidityUsd ?? next.liquidityUsd,
    volume24hUsd: known.volume24hUsd ?? next.volume24hUsd,
    marketCapUsd: known.marketCapUsd ?? next.marketCapUsd,
    createdAt: known.createdAt ?? next.createdAt,
    holderCount: known.holderCount ?? next.holderCount,
  };
}

/** Null if a search failed and no other search found a look-alike. */
async function searchLookAlikes(
  token: TokenFacts,
  { sources: [source], person }: { sources: readonly PriceSource[]; person: string },
): Promise<readonly LookAlike[] | null> {
  const texts = new Set([...canonicalForms(token.symbol), token.name.toLowerCase()]);
  // Only the first source knows which tokens are verified.
  const responses = await Promise.all(
    Array.from(texts, (text) => source?.search(text, { isUrgent: false, person }).catch(() => undefined)),
  );
  const others = responses.flatMap((found) => found ?? []);
  const lookAlikes = findLookAlikes(token, others).map(describeLookAlike);
  return lookAlikes.length === 0 && responses.includes(undefined) ? null : lookAlikes;
}

export function describeLookAlike({ mint, symbol, name, liquidityUsd, safety }: TokenFacts): LookAlike {
  return { mint, symbol, name, liquidityUsd, isVerified: safety.isVerified === true };
}
