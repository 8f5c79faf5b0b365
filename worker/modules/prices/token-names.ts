import { MAX_MINTS_PER_REQUEST } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import { BULK, type PriceSource, type TokenIdentity } from '../../ports/price-source.ts';
import { askSources } from './ask-sources.ts';

const MAX_REMEMBERED = 2_000;

/** Token names for lists, cached for the life of the isolate, because a token's name doesn't change. */
export function createTokenNames({ sources, clock }: { sources: readonly PriceSource[]; clock: Clock }) {
  const remembered = new Map<string, TokenIdentity>();

  const fetchNames = async (mints: readonly string[]): Promise<ReadonlyMap<string, TokenIdentity>> => {
    const { answers } = await askSources<TokenIdentity>({
      sources,
      mints,
      ask: (source, open) => source.tokens(open, BULK),
      isIncomplete: () => false,
      merge: (known) => known,
      clock,
    });
    return new Map(
      [...answers].map(([mint, { symbol, name, logoURI }]) => [mint, { symbol, name, logoURI }] as const),
    );
  };

  return {
    /**
     * Names by mint. Leaves out unknown mints, and fetches at most MAX_MINTS_PER_REQUEST. Never throws, because a list
     * must not fail for a missing name.
     */
    async describeTokens(mints: readonly string[]): Promise<ReadonlyMap<string, TokenIdentity>> {
      const distinct = [...new Set(mints)];
      const known = distinct.flatMap((mint) => {
        const name = remembered.get(mint);
        return name === undefined ? [] : [[mint, name] as const];
      });
      const unknown = distinct.filter((mint) => !remembered.has(mint)).slice(0, MAX_MINTS_PER_REQUEST);
      const fetched =
        unknown.length === 0 ? [] : await fetchNames(unknown).catch(() => new Map<string, TokenIdentity>());
      for (const [mint, name] of fetched) {
        if (remembered.size >= MAX_REMEMBERED) remembered.clear();
        remembered.set(mint, name);
      }
      return new Map([...known, ...fetched]);
    },
  };
}
