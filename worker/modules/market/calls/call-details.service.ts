import { MAX_CHART_POINTS } from '#schema/constants/prices.ts';
import type { CallChart, CallDetail } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { AppError } from '../../../app/errors.ts';
import { createCallDetailsRepository, type CallDetailRows } from './call-details.repository.ts';
import {
  describeActive,
  describeCall,
  describeChart,
  describeFollowerResult,
  describeHit,
  describeHoldings,
  describeMark,
  describeQuote,
  describeUpdate,
  isPublicCall,
} from './call-view.ts';
import type { CallRow } from './call-queries.repository.ts';
import type { CallsOptions } from './calls.ports.ts';
import { createCallsRepository } from './calls.repository.ts';
import { createPriceClosesRepository } from '../prices/price-closes.repository.ts';

export interface CallRequest {
  readonly id: string;
  readonly viewerId: string | null;
}

type CallDetailsOptions = Pick<CallsOptions, 'db' | 'prices' | 'subscriptions' | 'clock'>;

export type CallDetailsService = ReturnType<typeof createCallDetailsService>;

/** One call with updates, quotes and chart. Without access, an active call doesn't seem to exist. */
export function createCallDetailsService({ db, prices, subscriptions, clock }: CallDetailsOptions) {
  const calls = createCallsRepository(db);
  const closes = createPriceClosesRepository(db);
  const repository = createCallDetailsRepository(db);
  const assertReadable = async (row: CallRow, viewerId: string | null) => {
    const isReadable =
      isPublicCall(row) || (await subscriptions.canSeeActiveCalls({ viewerId, callerId: row.caller_id }));
    if (!isReadable) throw new AppError({ code: 'calls.not_found' });
  };

  const findLastPrice = async (row: CallRow, viewerId: string | null): Promise<ShownPrice | undefined> => {
    if (row.ended_at !== null) return undefined;
    const [price] = await prices.livePrices({ calls: [describeActive(row)], person: viewerId });
    return price;
  };

  const findReadable = async ({ id, viewerId }: CallRequest): Promise<CallRow> => {
    const row = await calls.find(id);
    if (!row) throw new AppError({ code: 'calls.not_found' });
    await assertReadable(row, viewerId);
    return row;
  };

  return {
    /** Looks up no price. @throws calls.not_found */
    async assertReadable(request: CallRequest): Promise<true> {
      await findReadable(request);
      return true;
    },

    async get({ id, viewerId }: CallRequest): Promise<CallDetail> {
      const found = await repository.findDetail(id);
      if (!found) throw new AppError({ code: 'calls.not_found' });
      await assertReadable(found.call, viewerId);
      return describeDetail(found, await findLastPrice(found.call, viewerId));
    },

    /** The call without its current price. Null for a missing call. Doesn't check access. */
    async find(id: string): Promise<CallDetail | null> {
      const found = await repository.findDetail(id);
      return found && describeDetail(found);
    },

    /** An ended call for operators, even of a hidden caller. Null for an active call. */
    async findEnded(id: string): Promise<CallDetail | null> {
      const found = await repository.findDetail(id);
      return found === null || found.call.ended_at === null ? null : describeDetail(found);
    },

    /**
     * A chart of at most MAX_CHART_POINTS points, including the entry and the end. It doesn't have the current
     * price of an active call, which `get` looks up for the same page.
     * @throws calls.not_found
     */
    async chart(request: CallRequest): Promise<CallChart> {
      const row = await findReadable(request);
      const between = await closes.listCloses({
        mint: row.token_mint,
        ranges: [{ from: row.called_at, until: row.ended_at ?? clock.now() }],
        limit: MAX_CHART_POINTS - 2,
      });
      return describeChart({ row, closes: between });
    },
  };
}

function describeDetail(rows: CallDetailRows, lastPrice?: ShownPrice): CallDetail {
  const { call, updates, hits, quotes, marks, entries, holdings, note } = rows;
  return {
    ...describeCall(call, lastPrice),
    madeOn: call.made_on,
    updates: updates.map(describeUpdate),
    levelHits: hits.map(describeHit),
    quotes: quotes.map(describeQuote),
    holdings: holdings && describeHoldings(holdings),
    marks: marks.map(describeMark),
    follower: describeFollowerResult(call),
    logEntries: call.ended_at === null ? [] : entries.map(({ id }) => id - 1),
    note: note && { text: note.text, at: new Date(note.at).toISOString() },
  };
}
