import { MAX_CHART_POINTS } from '#schema/constants/prices.ts';
import type { CalledToken, TokenCall, TokenCalls } from '#schema/contracts/calls.ts';
import { isPublicKey } from '#schema/rules/text/base58.ts';
import { callIconPath, describeActive, describeCall } from './call-view.ts';
import type { CallRow } from './call-queries.repository.ts';
import { createTokenNotCalledError } from './calls.errors.ts';
import type { CallsOptions } from './calls.ports.ts';
import { createTokenCallsRepository } from './token-calls.repository.ts';
import { createPriceClosesRepository } from '../prices/price-closes.repository.ts';

export interface TokenRequest {
  readonly mint: string;
  readonly viewerId: string | null;
}

type TokenCallsOptions = Pick<CallsOptions, 'db' | 'prices' | 'subscriptions'>;

export type TokenCallsService = ReturnType<typeof createTokenCallsService>;

/** A token's calls. Reports a token as unknown if the viewer may see none of its calls. */
export function createTokenCallsService({ db, prices, subscriptions }: TokenCallsOptions) {
  const closes = createPriceClosesRepository(db);
  const repository = createTokenCallsRepository(db);
  const findCalls = async ({ mint, viewerId }: TokenRequest) => {
    const callerIds =
      viewerId === null ? [] : [viewerId, ...(await subscriptions.listFollowedCallers(viewerId))];
    const { ended, first, active } = await repository.findCalls({ mint, callerIds });
    const [shown, earliest] = [ended, first].map((rows) => rows.filter((row) => !row.is_hidden));
    const newest = shown?.[0] ?? active[0];
    if (newest === undefined) throw createTokenNotCalledError();
    return { newest, ended: shown ?? [], first: earliest?.[0] ?? null, active };
  };

  return {
    /** Reads no prices. @throws tokens.not_found */
    async assertKnown(request: TokenRequest): Promise<true> {
      await findCalls(request);
      return true;
    },

    /** The first ended call on a token, by when it was made. The same for everybody; null if there is none. */
    async first(mint: string): Promise<TokenCall | null> {
      const row = (await repository.findFirstEnded(mint)).find(({ is_hidden }) => !is_hidden);
      return row === undefined ? null : describeCall(row);
    },

    async get({ mint, viewerId }: TokenRequest): Promise<TokenCalls> {
      const { newest, ended, first, active } = await findCalls({ mint, viewerId });
      const [live, between] = await Promise.all([
        active.length === 0 ? [] : prices.livePrices({ calls: active.map(describeActive), person: viewerId }),
        ended.length === 0
          ? []
          : closes.listCloses({ mint, ranges: rangesOf(ended), limit: MAX_CHART_POINTS }),
      ]);
      return {
        mint,
        symbol: newest.token_symbol,
        name: newest.token_name,
        logoURI: callIconPath(newest),
        ended: ended.map((row) => describeCall(row)),
        first: first && describeCall(first),
        active: active.map((row, index) => describeCall(row, live[index])),
        points: between.map(({ at, price }) => ({ at: new Date(at).toISOString(), price })),
      };
    },

    async search(text: string): Promise<CalledToken[]> {
      const rows = await repository.search({ text, mint: isPublicKey(text) ? text : null });
      return rows.map((row) => ({
        mint: row.mint,
        symbol: row.symbol,
        name: row.name,
        logoURI: callIconPath(row),
      }));
    },
  };
}

/**
 * The times (unix ms) at which one of these calls was open, without overlaps. Outside of them, prices are stored only while
 * somebody has an active call on the token, so they would reveal it.
 */
export function rangesOf(ended: readonly Pick<CallRow, 'called_at' | 'ended_at'>[]) {
  const ranges: { from: number; until: number }[] = [];
  for (const { called_at, ended_at } of ended.toSorted((one, other) => one.called_at - other.called_at)) {
    const last = ranges.at(-1);
    const until = ended_at ?? called_at;
    if (last === undefined || called_at > last.until) ranges.push({ from: called_at, until });
    else last.until = Math.max(last.until, until);
  }
  return ranges;
}
