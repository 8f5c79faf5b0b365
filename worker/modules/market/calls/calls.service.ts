import type { EndedCall, TokenCall } from '#schema/contracts/calls.ts';
import { hasEnded } from '#schema/rules/calls/ended-call.ts';
import { isTooFarApart } from '#schema/rules/prices/prices.ts';
import { AppError } from '../../../app/errors.ts';
import { createCallLists } from './call-lists.ts';
import type { CallRow, TokenQuery } from './call-queries.repository.ts';
import { describeCall, isPublicCall } from './call-view.ts';
import type { CallsOptions } from './calls.ports.ts';
import { createPriceMovedError } from './calls.errors.ts';
import { createCallsRepository } from './calls.repository.ts';
import { createEndCall } from './end-call.ts';
import { assertNotCalled, createOpenCall, type NewCallRequest } from './open-call.ts';
import { takeAttempt } from './take-attempt.ts';

export interface OwnCall {
  readonly id: string;
  readonly userId: string;
}

export interface EndParams extends OwnCall {
  readonly isOnlyIfCounted?: boolean;
  /** The price that the caller saw. If it differs by over 3% from the server's price, the call isn't ended. */
  readonly seenPrice?: string | undefined;
}

export type CallsService = ReturnType<typeof createCallsService>;

export function createCallsService(options: CallsOptions) {
  const { db, prices, attempts, subscriptions, messages, clock } = options;
  const repository = createCallsRepository(db);
  const openCall = createOpenCall(options);
  const endCall = createEndCall(options);

  const find = async (id: string): Promise<CallRow> => {
    const row = await repository.find(id);
    if (!row) throw new AppError({ code: 'calls.not_found' });
    return row;
  };

  /** Without access, someone else's active call is 'not found', so that the error doesn't reveal it. */
  const findOwnActive = async ({ id, userId }: OwnCall): Promise<CallRow> => {
    const row = await find(id);
    if (row.caller_id !== userId) {
      const isVisible =
        isPublicCall(row) ||
        (await subscriptions.canSeeActiveCalls({ viewerId: userId, callerId: row.caller_id }));
      throw isVisible ? new AppError({ code: 'calls.not_yours' }) : new AppError({ code: 'calls.not_found' });
    }
    if (row.ended_at !== null) throw new AppError({ code: 'calls.already_ended' });
    return row;
  };

  return {
    ...createCallLists(options),

    async create(request: NewCallRequest): Promise<TokenCall> {
      const id = await openCall(request);
      await messages.writeSoon();
      return describeCall(await find(id));
    },

    /**
     * The reason why the caller's earlier calls would make a call opened now unranked. Null if they wouldn't.
     * @throws calls.already_called
     */
    async previewOpening(token: TokenQuery): Promise<'repeated_mint' | null> {
      await assertNotCalled(repository, token);
      const call = { callerId: token.callerId, tokenMint: token.mint, calledAt: clock.now() };
      return (await repository.isRepeatedMint(call)) ? 'repeated_mint' : null;
    },

    /**
     * Ends the user's own active call at the price fetched now. If this fails, the call stays active.
     * @throws calls.gain_not_counted, only with `isOnlyIfCounted`; calls.price_moved, only with `seenPrice`
     */
    async end({ id, userId, isOnlyIfCounted = false, seenPrice }: EndParams): Promise<TokenCall> {
      const call = await findOwnActive({ id, userId });
      await takeAttempt(attempts, userId);
      const quote = await prices.freshQuote({ mint: call.token_mint, userId, side: 'end' });
      if (seenPrice !== undefined && isTooFarApart(seenPrice, quote.price)) {
        throw createPriceMovedError({ currentPrice: quote.price, act: 'end' });
      }
      const isEnded = await endCall({
        call,
        quote,
        quotes: quote.quotes,
        automaticEnd: null,
        isOnlyIfCounted,
      });
      if (!isEnded) throw new AppError({ code: 'calls.already_ended' });
      await messages.writeSoon();
      return describeCall(await find(id));
    },

    /** @throws calls.not_found, calls.not_yours, calls.already_ended */
    async assertOwnActive(call: OwnCall): Promise<void> {
      await findOwnActive(call);
    },

    /** An ended call, the same for every viewer. @throws calls.not_found, also for an active call */
    async getEnded(id: string): Promise<EndedCall> {
      const row = await find(id);
      const call = describeCall(row);
      if (row.is_hidden || !hasEnded(call)) throw new AppError({ code: 'calls.not_found' });
      return call;
    },
  };
}
