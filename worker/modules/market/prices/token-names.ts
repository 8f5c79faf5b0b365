import { MAX_MINTS_PER_REQUEST } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RequestPriority, PriceSource, TokenIdentity } from '../../../ports/price-source.ts';
import { requestSources } from './request-sources.ts';

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
  /** Null for a token that no source knows. */
  const remembered = new Map<string, { readonly token: TokenIdentity | null; readonly until: number }>();

  const isRemembered = (mint: string) => (remembered.get(mint)?.until ?? 0) > clock.now();

  const fetchNames = async (mints: readonly string[], priority: RequestPriority) => {
    const { responses, isComplete } = await requestSources<TokenIdentity>({
      sources,
      mints,
      sendRequest: (source, open) => source.tokens(open, priority),
      isIncomplete: () => false,
      merge: (known) => known,
      clock,
    });
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    for (const [mint, { symbol, name, logoURI }] of responses) {
      remembered.set(mint, { token: { symbol, name, logoURI }, until: Number.POSITIVE_INFINITY });
    }
    if (!isComplete) return;
    const unknown = { token: null, until: clock.now() + UNKNOWN_KEPT_MS };
    for (const mint of mints.filter((each) => !responses.has(each))) remembered.set(mint, unknown);
  };

  const namesOf = (mints: readonly string[]) =>
    mints.flatMap((mint) => {
      const token = remembered.get(mint)?.token;
      return token ? [[mint, token] as const] : [];
    });

  return {
    /**
     * Names by mint. Leaves out unknown mints, and fetches at most MAX_MINTS_PER_REQUEST. Never throws, because a list
     * must not fail for a missing name.
     */
    async describeTokens({ mints, userId }: NamesRequest): Promise<ReadonlyMap<string, TokenIdentity>> {
      const distinct = [...new Set(mints)];
      const known = namesOf(distinct);
      const requested = distinct.filter((mint) => !isRemembered(mint)).slice(0, MAX_MINTS_PER_REQUEST);
      if (requested.length === 0) return new Map(known);
      await fetchNames(requested, { isUrgent: false, person: userId }).catch(() => null);
      return new Map([...known, ...namesOf(requested)]);
    },
  };
}
