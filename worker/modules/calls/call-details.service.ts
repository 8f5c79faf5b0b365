import { MAX_CHART_POINTS } from '#schema/constants.ts';
import type { CallChart, CallDetail } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallDetailsRepository } from './call-details.repository.ts';
import { describeCall, describeChart, describeQuote, describeUpdate } from './call-view.ts';
import { createCallNotFoundError } from './calls.errors.ts';
import type { CallRow, CallsRepository } from './calls.repository.ts';
import type { EntitlementPort, QuotePort } from './calls.service.ts';

/** What a mint cost over time. */
export interface ClosesPort {
  /** Between two moments (unix ms), oldest first; where there are more than `limit`, as many spread over that time. */
  listCloses(question: {
    mint: string;
    from: number;
    until: number;
    limit: number;
  }): Promise<{ at: number; price: string }[]>;
}

/** Who asks (`null` for nobody who is signed in) for which call. */
export interface DetailQuestion {
  readonly id: string;
  readonly viewerId: string | null;
}

export interface CallDetailsOptions {
  readonly repository: CallDetailsRepository;
  readonly calls: Pick<CallsRepository, 'find'>;
  readonly closes: ClosesPort;
  readonly prices: Pick<QuotePort, 'storedPrices'>;
  readonly entitlement: Pick<EntitlementPort, 'mayReadActiveCalls'>;
  readonly clock: Clock;
}

/** One call as a page shows it: ended ones for everyone, active ones for who is entitled. */
export function createCallDetailsService({
  repository,
  calls,
  closes,
  prices,
  entitlement,
  clock,
}: CallDetailsOptions) {
  /** To who is not entitled an active call is as absent as one that never was. */
  const assertReadable = async (row: CallRow, viewerId: string | null) => {
    const isReadable =
      row.ended_at !== null || (await entitlement.mayReadActiveCalls({ viewerId, callerId: row.caller_id }));
    if (!isReadable) throw createCallNotFoundError();
  };

  const findLastPrice = async (row: CallRow): Promise<ShownPrice | undefined> =>
    row.ended_at === null ? (await prices.storedPrices([row.token_mint]))[row.token_mint] : undefined;

  return {
    /** @throws calls.not_found */
    async get({ id, viewerId }: DetailQuestion): Promise<CallDetail> {
      const found = await repository.findDetail(id);
      if (!found) throw createCallNotFoundError();
      const { call, updates, quotes } = found;
      await assertReadable(call, viewerId);
      return {
        ...describeCall(call, await findLastPrice(call)),
        updates: updates.map(describeUpdate),
        quotes: quotes.map(describeQuote),
      };
    },

    /** At most `MAX_CHART_POINTS`, the entry and the end among them. @throws calls.not_found */
    async chart({ id, viewerId }: DetailQuestion): Promise<CallChart> {
      const row = await calls.find(id);
      if (!row) throw createCallNotFoundError();
      await assertReadable(row, viewerId);
      const [between, lastPrice] = await Promise.all([
        closes.listCloses({
          mint: row.token_mint,
          from: row.called_at,
          until: row.ended_at ?? clock.now(),
          limit: MAX_CHART_POINTS - 2,
        }),
        findLastPrice(row),
      ]);
      return describeChart({ row, closes: between, lastPrice });
    },
  };
}
