import { TOKEN_SEARCH_LIMIT, TOKEN_SEARCH_RESULTS } from '#schema/constants/prices.ts';
import type { FoundToken } from '#schema/contracts/prices.ts';
import { flagLookAlikes, canonicalForms, type LookAlikeMatch } from '#schema/rules/prices/look-alike.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { SourceBackoffError, type PriceSource, type TokenFacts } from '../../../ports/price-source.ts';
import { describeLookAlike } from './token-lookup.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';

export interface TokenSearchOptions extends Pick<Base, 'attempts' | 'clock'> {
  readonly sources: readonly PriceSource[];
  readonly callerGuard: CallerGuard;
}

export interface TokenSearch {
  readonly userId: string;
  readonly text: string;
}

/** Lets callers find tokens by mint, name or symbol. Sends only bulk requests, so it never delays urgent prices. */
export function createTokenSearch({ sources, callerGuard, attempts, clock }: TokenSearchOptions) {
  return {
    /**
     * Returns at most TOKEN_SEARCH_RESULTS tokens. The best match comes first, look-alikes of better-known
     * tokens come last.
     * @throws users.not_a_caller, tokens.too_many_searches, prices.busy, prices.unavailable
     */
    async searchTokens({ userId, text }: TokenSearch): Promise<readonly FoundToken[]> {
      await callerGuard.assertIsCaller(userId);
      const limit = TOKEN_SEARCH_LIMIT;
      const waitMs = await attempts.take({ action: 'tokens.search', person: userId, limit });
      if (waitMs > 0) throw new AppError({ code: 'tokens.too_many_searches', waitMs });
      return requestInOrder({ sources, userId, text, now: clock.now() });
    },
  };
}

interface SearchParams extends TokenSearch {
  readonly sources: readonly PriceSource[];
  readonly now: number;
}

async function requestInOrder({ sources, userId, text, now }: SearchParams): Promise<FoundToken[]> {
  let retryAt: number | null = null;
  for (const source of sources) {
    try {
      return await sendRequest(source, { userId, text });
    } catch (error) {
      if (error instanceof SourceBackoffError && !error.isFailing) {
        retryAt = Math.min(retryAt ?? Number.POSITIVE_INFINITY, error.retryAt);
      }
    }
  }
  if (retryAt === null) throw new AppError({ code: 'prices.unavailable' });
  throw new AppError({
    code: 'prices.busy',
    message: "We can't search for tokens right now. Try again in {wait}, or paste the token’s address.",
    waitMs: retryAt - now,
  });
}

/** Also searches for texts that look alike, so that a look-alike is listed together with the real token. */
async function sendRequest(source: PriceSource, { userId, text }: TokenSearch): Promise<FoundToken[]> {
  const priority = { isUrgent: false, person: userId };
  const [found, ...others] = await Promise.all([
    source.search(text, priority),
    ...canonicalForms(text)
      .filter((canonicalForm) => canonicalForm !== text.toLowerCase())
      .map((canonicalForm) => source.search(canonicalForm, priority).catch(() => [])),
  ]);
  return flagLookAlikes([...found, ...others.flat()])
    .slice(0, TOKEN_SEARCH_RESULTS)
    .map(describeFound);
}

function describeFound({ token, lookAlike }: LookAlikeMatch<TokenFacts>): FoundToken {
  const { mint, symbol, name, logoURI, liquidityUsd, marketCapUsd, safety } = token;
  return {
    mint,
    symbol,
    name,
    logoURI,
    liquidityUsd,
    marketCapUsd,
    isVerified: safety.isVerified,
    lookAlike: lookAlike && describeLookAlike(lookAlike),
  };
}
