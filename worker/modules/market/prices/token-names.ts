import { MAX_MINTS_PER_REQUEST } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RequestPriority, PriceSource, TokenIdentity } from '../../../ports/price-source.ts';
import { requestSources, type SourcesResponse } from './request-sources.ts';

const MAX_REMEMBERED = 2_000;
/** A source may learn a token's name later. */
const UNKNOWN_KEPT_MS = 10 * MINUTE_MS;

export interface NamesRequest {
  readonly mints: readonly string[];
  readonly userId: string;
}

/**
 * Token names for lists, cached for the life of the isolate, because a token's name doesn't change. Unknown tokens
 * are also cached: wallets are full of worthless tokens, and pages repeat their requests.
 */
export function createTokenNames({ sources, clock }: { sources: readonly PriceSource[]; clock: Clock }) {
  const remembered = new Map<string, TokenIdentity>();
  const unknownUntil = new Map<string, number>();

  const isUnknown = (mint: string) => (unknownUntil.get(mint) ?? 0) > clock.now();

  const fetchNames = async (
    mints: readonly string[],
    priority: RequestPriority,
  ): Promise<SourcesResponse<TokenIdentity>> => {
    const response = await requestSources<TokenIdentity>({
      sources,
      mints,
      sendRequest: (source, open) => source.tokens(open, priority),
      isIncomplete: () => false,
      merge: (known) => known,
      clock,
    });
    const named = [...response.responses].map(
      ([mint, { symbol, name, logoURI }]) => [mint, { symbol, name, logoURI }] as const,
    );
    return { ...response, responses: new Map(named) };
  };

  const remember = (
    requested: readonly string[],
    { responses, isComplete }: SourcesResponse<TokenIdentity>,
  ) => {
    for (const [mint, name] of responses) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(mint, name);
    }
    if (!isComplete) return;
    for (const mint of requested.filter((each) => !responses.has(each))) {
      if (unknownUntil.size >= MAX_REMEMBERED) unknownUntil.clear();
      unknownUntil.set(mint, clock.now() + UNKNOWN_KEPT_MS);
    }
  };

  return {
    /**
     * Names by mint. Leaves out unknown mints, and fetches at most MAX_MINTS_PER_REQUEST. Never throws, because a list
     * must not fail for a missing name.
     */
    async describeTokens({ mints, userId }: NamesRequest): Promise<ReadonlyMap<string, TokenIdentity>> {
      const distinct = [...new Set(mints)];
      const known = distinct.flatMap((mint) => {
        const name = remembered.get(mint);
        return name === undefined ? [] : [[mint, name] as const];
      });
      const requested = distinct
        .filter((mint) => !remembered.has(mint) && !isUnknown(mint))
        .slice(0, MAX_MINTS_PER_REQUEST);
      if (requested.length === 0) return new Map(known);
      const fetched = await fetchNames(requested, { isUrgent: false, person: userId }).catch(() => null);
      if (fetched === null) return new Map(known);
      remember(requested, fetched);
      return new Map([...known, ...fetched.responses]);
    },
  };
}
