import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { uncountedGainReason, type AutomaticEnd } from '#schema/rules/calls/ranking.ts';
import { areSameUnits } from '#schema/rules/prices/units.ts';
import type { Base } from '../../../app/base.ts';
import { isUniqueViolation } from '../../../shared/database.ts';
import type { CallRow } from './call-queries.repository.ts';
import type { FreshQuote } from '../prices/prices.service.ts';
import { createGainNotCountedError } from './calls.errors.ts';
import { createCallsRepository, type CallEnd } from './calls.repository.ts';

export interface CallEnding extends Pick<CallEnd, 'quotes'> {
  readonly call: CallRow;
  /** Null ends the call at 0. */
  readonly quote: FreshQuote | null;
  readonly automaticEnd: AutomaticEnd | null;
  readonly isOnlyIfCounted?: boolean;
}

/** Ends an active call. Both the caller and the cron end calls this way. */
export function createEndCall({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  const repository = createCallsRepository(db);
  /** After a change of the unit, only one source counts, unless Jupiter has verified the token (decision 069). */
  const countConfirming = async (callId: string, quotes: FreshQuote['usableQuotes']) => {
    const isTrusted = quotes.some(({ multiplier, safety }) => multiplier === null || safety.isVerified);
    if (isTrusted || areSameUnits(await repository.listEntryQuotes(callId), quotes)) return quotes.length;
    return Math.min(quotes.length, 1);
  };

  /** @returns false if the call has ended already @throws calls.gain_not_counted */
  return async (ending: CallEnding): Promise<boolean> => {
    const { call, quote, quotes, automaticEnd, isOnlyIfCounted = false } = ending;
    const endedAt = Math.max(clock.now(), call.called_at);
    const endPrice = quote?.price ?? '0';
    const change = changePercent(call.entry_price, endPrice);
    const heldMs = endedAt - call.called_at;
    const reason = uncountedGainReason({
      isRanked: call.unranked_reason === null,
      changePercent: change,
      heldMs,
      usableCount: quote ? await countConfirming(call.id, quote.usableQuotes) : 0,
    });
    if (isOnlyIfCounted && reason !== null) {
      throw createGainNotCountedError({ reason, endPrice, changePercent: change, heldMs });
    }
    try {
      return await repository.end({
        call: { id: call.id, callerId: call.caller_id, calledAt: call.called_at },
        endPrice,
        changePercent: change,
        endedAt,
        uncountedGainReason: reason,
        automaticEnd,
        quotes,
        recordedSource: quote?.recordedSource ?? null,
      });
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  };
}
