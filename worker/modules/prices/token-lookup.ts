import type { LookAlike, TokenLookup } from '#schema/contracts/prices.ts';
import { findLookAlikes, spellings, type KnownToken } from '#schema/rules/look-alike.ts';
import { isStale, seenAt, type ChainSlot } from '#schema/rules/quotes.ts';
import { BULK, type PriceSource, type TokenFacts } from '../../ports/price-source.ts';
import { askSources, type PricesRequest } from './ask-sources.ts';

/** A token whose `seenAt` is the time when its source saw the price (unix ms). The API shows `at` instead. */
export type LookedUpToken = Omit<TokenLookup, 'at'> & { readonly seenAt: number };

type DatedFacts = TokenFacts & { readonly seenAt: number };

/**
 * Tokens by mint; unknown ones are left out. The name comes from the first source that knows the token. The next
 * sources add missing facts, and replace a stale price with a newer one.
 * @throws if no source answers
 */
export async function lookUpTokens({
  sources,
  mints,
  current,
  clock,
}: PricesRequest): Promise<ReadonlyMap<string, LookedUpToken>> {
  const isOld = (at: number) => isStale({ at, now: clock.now() });
  const { answers } = await askSources<DatedFacts>({
    sources,
    mints,
    ask: async (source, open) => {
      const fetchedAt = clock.now();
      const [tokens, slot] = await Promise.all([source.tokens(open), current]);
      return new Map([...tokens].map(([mint, facts]) => [mint, dateFacts(facts, fetchedAt, slot)]));
    },
    isIncomplete: (known) =>
      known.price === null || isOld(known.seenAt) || known.liquidityUsd === null || known.createdAt === null,
    merge: (known, next) => mergeFacts(known, next, isOld),
    clock,
  });
  const search = createSearch(sources);
  return new Map(
    await Promise.all(
      [...answers].map(async ([mint, token]) => [mint, await describe(token, search)] as const),
    ),
  );
}

function dateFacts(facts: TokenFacts, fetchedAt: number, slot: ChainSlot | null): DatedFacts {
  const blockId = facts.price === null ? null : facts.priceBlockId;
  return { ...facts, seenAt: seenAt({ fetchedAt, blockId, current: slot }) };
}

function mergeFacts(known: DatedFacts, next: DatedFacts, isOld: (at: number) => boolean): DatedFacts {
  const isNewer =
    next.price !== null && (known.price === null || (isOld(known.seenAt) && next.seenAt > known.seenAt));
  return {
    ...known,
    logoURI: known.logoURI ?? next.logoURI,
    ...(isNewer ? { price: next.price, priceBlockId: next.priceBlockId, seenAt: next.seenAt } : {}),
    liquidityUsd: known.liquidityUsd ?? next.liquidityUsd,
    createdAt: known.createdAt ?? next.createdAt,
    holderCount: known.holderCount ?? next.holderCount,
  };
}

/** Tokens by symbol; null if the search failed. */
type Search = (symbol: string) => Promise<readonly TokenFacts[] | null>;

function createSearch(sources: readonly PriceSource[]): Search {
  const searched = new Map<string, ReturnType<Search>>();
  // Only the first source knows which tokens are verified.
  const [source] = sources;
  const ask: Search = async (symbol) => (await source?.search(symbol, BULK).catch(() => null)) ?? null;
  return (symbol) => {
    const found = searched.get(symbol) ?? ask(symbol);
    searched.set(symbol, found);
    return found;
  };
}

async function describe(token: DatedFacts, search: Search): Promise<LookedUpToken> {
  const { priceBlockId: _, marketCapUsd: __, createdAt, ...shown } = token;
  return {
    ...shown,
    createdAt: createdAt === null ? null : new Date(createdAt).toISOString(),
    lookAlikes: await searchLookAlikes(token, search),
  };
}

/** Null if a search failed and no other search found a look-alike. */
async function searchLookAlikes(token: TokenFacts, search: Search): Promise<LookAlike[] | null> {
  const answers = await Promise.all(spellings(token.symbol).map(search));
  const others = answers.flatMap((found) => found ?? []).map(rate);
  const lookAlikes = findLookAlikes(rate(token), others).map(describeLookAlike);
  return lookAlikes.length === 0 && answers.includes(null) ? null : lookAlikes;
}

export function rate({ mint, symbol, name, liquidityUsd, safety }: TokenFacts): KnownToken {
  return { mint, symbol, name, liquidityUsd, isVerified: safety.isVerified };
}

export function describeLookAlike({ isVerified, ...token }: KnownToken): LookAlike {
  return { ...token, isVerified: isVerified === true };
}
