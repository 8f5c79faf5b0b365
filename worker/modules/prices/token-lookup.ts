import type { LookAlike, TokenLookup } from '#schema/contracts/prices.ts';
import { findLookAlikes, spellings, type KnownToken } from '#schema/rules/look-alike.ts';
import { isStale, seenAt, type ChainSlot } from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PriceSource, TokenFacts } from '../../ports/price-source.ts';

/** A token as it is shown, with when its source saw its price (unix ms) in place of the time that is said. */
export type LookedUpToken = Omit<TokenLookup, 'at'> & { readonly seenAt: number };

/** What is known of a token so far. */
type SeenFacts = TokenFacts & { readonly seenAt: number };

/**
 * What tokens are, by mint, for people to look at. The first source that knows a token names it; what it does not say the
 * others do, and what another saw of late stands in for a price that it saw too long ago. Tokens that no source knows are left out.
 * @throws when no source answers
 */
export async function lookUpTokens({
  sources,
  mints,
  current,
  clock,
}: {
  sources: readonly PriceSource[];
  mints: readonly string[];
  current: Promise<ChainSlot | null>;
  clock: Clock;
}): Promise<ReadonlyMap<string, LookedUpToken>> {
  const facts = new Map<string, SeenFacts>();
  const isOld = (at: number) => isStale({ at, now: clock.now() });
  let failure: unknown;
  let hasAnswer = false;
  for (const source of sources) {
    const open = mints.filter((mint) => isOpen(facts.get(mint), isOld));
    if (open.length === 0) break;
    try {
      const fetchedAt = clock.now();
      const [tokens, slot] = await Promise.all([source.tokens(open), current]);
      for (const [mint, token] of tokens) {
        const said = {
          ...token,
          seenAt: seenAt({
            fetchedAt,
            blockId: token.price === null ? null : token.priceBlockId,
            current: slot,
          }),
        };
        facts.set(mint, complete(facts.get(mint), said, isOld));
      }
      hasAnswer = true;
    } catch (error) {
      failure = error;
    }
  }
  if (!hasAnswer) throw failure;
  const search = createSearch(sources);
  return new Map(
    await Promise.all(
      [...facts].map(async ([mint, token]) => [mint, await describe(token, search)] as const),
    ),
  );
}

/** Whether another source may have more to say of what a call is made by. */
function isOpen(known: SeenFacts | undefined, isOld: (at: number) => boolean): boolean {
  return (
    known === undefined ||
    known.price === null ||
    isOld(known.seenAt) ||
    known.liquidityUsd === null ||
    known.createdAt === null
  );
}

/** One who prices a token says what is behind that price too. */
function complete(known: SeenFacts | undefined, said: SeenFacts, isOld: (at: number) => boolean): SeenFacts {
  if (known === undefined) return said;
  const isNewer =
    said.price !== null && (known.price === null || (isOld(known.seenAt) && said.seenAt > known.seenAt));
  return {
    ...known,
    logoURI: known.logoURI ?? said.logoURI,
    ...(isNewer ? { price: said.price, priceBlockId: said.priceBlockId, seenAt: said.seenAt } : {}),
    liquidityUsd: known.liquidityUsd ?? said.liquidityUsd,
    createdAt: known.createdAt ?? said.createdAt,
    holderCount: known.holderCount ?? said.holderCount,
  };
}

/** What goes by these words; null when nobody could be asked. */
type Search = (words: string) => Promise<readonly TokenFacts[] | null>;

/** Searches the source that can; each word once. That it does not answer is no reason to show no token. */
function createSearch(sources: readonly PriceSource[]): Search {
  const searched = new Map<string, ReturnType<Search>>();
  const ask: Search = async (words) => {
    const source = sources.find((each) => each.search !== undefined);
    return (await source?.search?.(words).catch(() => null)) ?? null;
  };
  return (words) => {
    const found = searched.get(words) ?? ask(words);
    searched.set(words, found);
    return found;
  };
}

async function describe(token: SeenFacts, search: Search): Promise<LookedUpToken> {
  return {
    mint: token.mint,
    symbol: token.symbol,
    name: token.name,
    logoURI: token.logoURI,
    price: token.price,
    liquidityUsd: token.liquidityUsd,
    createdAt: token.createdAt === null ? null : new Date(token.createdAt).toISOString(),
    holderCount: token.holderCount,
    safety: token.safety,
    seenAt: token.seenAt,
    lookAlikes: await lookForLookAlikes(token, search),
  };
}

/** Those that were found, even where one spelling could not be searched; but then finding none does not say that there is none. */
async function lookForLookAlikes(token: TokenFacts, search: Search): Promise<LookAlike[] | null> {
  const answers = await Promise.all(spellings(token.symbol).map(search));
  const lookAlikes = findLookAlikes(rate(token), answers.flatMap((found) => found ?? []).map(rate)).map(
    describeLookAlike,
  );
  return lookAlikes.length === 0 && answers.includes(null) ? null : lookAlikes;
}

type RatedToken = KnownToken & Pick<TokenFacts, 'name'>;

function rate({ mint, symbol, name, liquidityUsd, safety }: TokenFacts): RatedToken {
  return { mint, symbol, name, liquidityUsd, isVerified: safety.isVerified };
}

function describeLookAlike({ mint, symbol, name, liquidityUsd, isVerified }: RatedToken): LookAlike {
  return { mint, symbol, name, liquidityUsd, isVerified: isVerified === true };
}
