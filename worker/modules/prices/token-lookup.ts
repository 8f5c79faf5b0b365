import type { LookAlike, TokenLookup } from '#schema/contracts/prices.ts';
import { findLookAlikes, spellings, type KnownToken } from '#schema/rules/look-alike.ts';
import type { PriceSource, TokenFacts } from '../../ports/price-source.ts';

/** A token as it is shown, but for the time as of which it is. */
export type LookedUpToken = Omit<TokenLookup, 'at'>;

/**
 * What tokens are, by mint, for people to look at. The first source that knows a token names it; what it does not say the
 * others do. Tokens that no source knows are left out.
 * @throws when no source answers
 */
export async function lookUpTokens(sources: readonly PriceSource[], mints: readonly string[]): Promise<ReadonlyMap<string, LookedUpToken>> {
  const facts = new Map<string, TokenFacts>();
  let failure: unknown;
  let hasAnswer = false;
  for (const source of sources) {
    const open = mints.filter((mint) => isOpen(facts.get(mint)));
    if (open.length === 0) break;
    try {
      for (const [mint, said] of await source.tokens(open)) facts.set(mint, complete(facts.get(mint), said));
      hasAnswer = true;
    } catch (error) {
      failure = error;
    }
  }
  if (!hasAnswer) throw failure;
  const search = createSearch(sources);
  return new Map(await Promise.all([...facts].map(async ([mint, token]) => [mint, await describe(token, search)] as const)));
}

/** Whether another source may have more to say of what a call is made by. */
function isOpen(known: TokenFacts | undefined): boolean {
  return known === undefined || known.price === null || known.liquidityUsd === null || known.createdAt === null;
}

/** One who prices a token says what is behind that price too. */
function complete(known: TokenFacts | undefined, said: TokenFacts): TokenFacts {
  if (known === undefined) return said;
  return {
    ...known,
    logoURI: known.logoURI ?? said.logoURI,
    price: known.price ?? said.price,
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

async function describe(token: TokenFacts, search: Search): Promise<LookedUpToken> {
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
    lookAlikes: await lookForLookAlikes(token, search),
  };
}

/** Those that were found, even where one spelling could not be searched; but then finding none does not say that there is none. */
async function lookForLookAlikes(token: TokenFacts, search: Search): Promise<LookAlike[] | null> {
  const answers = await Promise.all(spellings(token.symbol).map(search));
  const lookAlikes = findLookAlikes(rate(token), answers.flatMap((found) => found ?? []).map(rate)).map(describeLookAlike);
  return lookAlikes.length === 0 && answers.includes(null) ? null : lookAlikes;
}

type RatedToken = KnownToken & Pick<TokenFacts, 'name'>;

function rate({ mint, symbol, name, liquidityUsd, safety }: TokenFacts): RatedToken {
  return { mint, symbol, name, liquidityUsd, isVerified: safety.isVerified };
}

function describeLookAlike({ mint, symbol, name, liquidityUsd, isVerified }: RatedToken): LookAlike {
  return { mint, symbol, name, liquidityUsd, isVerified: isVerified === true };
}
