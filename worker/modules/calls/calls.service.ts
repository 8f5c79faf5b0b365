import type { CreateCallBody, EndedCall, TokenCall } from '#schema/contracts/calls.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { isUniqueViolation } from '../../shared/database.ts';
import { createCallLists } from './call-lists.ts';
import type { CallRow } from './call-queries.ts';
import { describeCall, hasEnded } from './call-view.ts';
import { createAlreadyEndedError, createCallNotFoundError, createNotYourCallError } from './calls.errors.ts';
import type { CallsOptions } from './calls.ports.ts';
import { createOpenCall } from './open-call.ts';

export interface OwnCall {
  readonly id: string;
  readonly userId: string;
}

export function createCallsService(options: CallsOptions) {
  const { repository, quotes, events, clock } = options;
  const openCall = createOpenCall(options);

  const find = async (id: string): Promise<CallRow> => {
    const row = await repository.find(id);
    if (!row) throw createCallNotFoundError();
    return row;
  };

  const findOwnActive = async ({ id, userId }: OwnCall): Promise<CallRow> => {
    const row = await find(id);
    if (row.caller_id !== userId) throw createNotYourCallError();
    if (row.ended_at !== null) throw createAlreadyEndedError();
    return row;
  };

  return {
    ...createCallLists(options),

    async create(request: { userId: string; body: CreateCallBody }): Promise<TokenCall> {
      const id = await openCall(request);
      await events.notifySoon({ kind: 'call_opened', id });
      return describeCall(await find(id));
    },

    /** Ends the user's own active call at a price fetched now. Without a usable price, the call stays active. */
    async end({ id, userId }: OwnCall): Promise<TokenCall> {
      const call = await findOwnActive({ id, userId });
      const quote = await quotes.freshQuote({ mint: call.token_mint, action: 'Failed to end token call' });
      try {
        const hasEnded = await repository.end({
          call: { id, callerId: call.caller_id },
          endPrice: quote.price,
          changePercent: changePercent(call.entry_price, quote.price),
          endedAt: Math.max(clock.now(), call.called_at),
          quotes: quote.quotes,
          recordedSource: quote.recordedSource,
        });
        if (!hasEnded) throw createAlreadyEndedError();
      } catch (error) {
        throw isUniqueViolation(error) ? createAlreadyEndedError() : error;
      }
      await events.notifySoon({ kind: 'call_ended', id });
      return describeCall(await find(id));
    },

    /** @throws calls.not_found, calls.not_yours, calls.already_ended */
    async assertOwnActive(call: OwnCall): Promise<void> {
      await findOwnActive(call);
    },

    /**
     * Returns an ended call, which is the same for every viewer.
     * @throws calls.not_found for a missing or an active call
     */
    async getEnded(id: string): Promise<EndedCall> {
      const call = describeCall(await find(id));
      if (!hasEnded(call)) throw createCallNotFoundError();
      return call;
    },
  };
}
