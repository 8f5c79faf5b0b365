import type { CreateCallBody, EndedCall, TokenCall } from '#schema/contracts/calls.ts';
import { createCallLists } from './call-lists.ts';
import type { CallRow } from './call-queries.ts';
import { describeCall, hasEnded } from './call-view.ts';
import { createAlreadyEndedError, createCallNotFoundError, createNotYourCallError } from './calls.errors.ts';
import type { CallsOptions } from './calls.ports.ts';
import { createEndCall } from './end-call.ts';
import { createOpenCall } from './open-call.ts';
import { takeAttempt } from './take-attempt.ts';

export interface OwnCall {
  readonly id: string;
  readonly userId: string;
}

export interface EndQuestion extends OwnCall {
  /** Refuses to end at a gain that would count as 0%. */
  readonly isOnlyIfCounted?: boolean;
}

export function createCallsService(options: CallsOptions) {
  const { repository, quotes, attempts, entitlement, events } = options;
  const openCall = createOpenCall(options);
  const endCall = createEndCall(options);

  const find = async (id: string): Promise<CallRow> => {
    const row = await repository.find(id);
    if (!row) throw createCallNotFoundError();
    return row;
  };

  /**
   * A user without access gets 'not found' for someone else's active call, so that the error doesn't reveal
   * that the call exists.
   */
  const findOwnActive = async ({ id, userId }: OwnCall): Promise<CallRow> => {
    const row = await find(id);
    if (row.caller_id !== userId) {
      const isVisible =
        row.ended_at !== null ||
        (await entitlement.canSeeActiveCalls({ viewerId: userId, callerId: row.caller_id }));
      throw isVisible ? createNotYourCallError() : createCallNotFoundError();
    }
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

    /**
     * Ends the user's own active call at the price fetched now. If this fails, the call stays active.
     * @throws calls.gain_not_counted, only with `isOnlyIfCounted`
     */
    async end({ id, userId, isOnlyIfCounted = false }: EndQuestion): Promise<TokenCall> {
      const call = await findOwnActive({ id, userId });
      await takeAttempt(attempts, userId);
      const quote = await quotes.freshQuote({ mint: call.token_mint, userId, side: 'end' });
      const hasEnded = await endCall({
        call,
        quote,
        quotes: quote.quotes,
        automaticEnd: null,
        isOnlyIfCounted,
      });
      if (!hasEnded) throw createAlreadyEndedError();
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
