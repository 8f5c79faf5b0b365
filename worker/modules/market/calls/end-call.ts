import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { uncountedGainReason, type AutomaticEnd } from '#schema/rules/calls/ranking.ts';
import { areSameUnits } from '#schema/rules/prices/units.ts';
import type { Base } from '../../../app/base.ts';
import type { TokenQuote } from '../../../ports/price-source.ts';
import { isUniqueViolation } from '../../../shared/database.ts';
import type { CallRow } from './call-queries.repository.ts';
import type { FreshQuote } from '../prices/quote-requests.ts';
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
  /** After a change of the unit, no price confirms another, unless Jupiter has verified the token (decision 069). */
  const isRescaled = async (callId: string, quotes: FreshQuote['usableQuotes']) => {
    const isTrusted = quotes.some(({ multiplier, safety }) => multiplier === null || safety.isVerified);
    return !isTrusted && !areSameUnits(await repository.listEntryQuotes(callId), quotes);
  };

  /** @returns false if the call has ended already @throws calls.gain_not_counted */
  return async (ending: CallEnding): Promise<boolean> => {
    const { call, quote, automaticEnd, isOnlyIfCounted = false } = ending;
    const confirming = quote?.usableQuotes ?? [];
    const isUnconfirmed = await isRescaled(call.id, confirming);
    const quotes = isUnconfirmed ? ending.quotes.map(asRescaled) : ending.quotes;
    const endedAt = Math.max(clock.now(), call.called_at);
    const endPrice = quote?.price ?? '0';
    const change = changePercent(call.entry_price, endPrice);
    const heldMs = endedAt - call.called_at;
    const reason = uncountedGainReason({
      isRanked: call.unranked_reason === null,
      changePercent: change,
      heldMs,
      usableCount: isUnconfirmed ? 0 : confirming.length,
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

const asRescaled = (quote: TokenQuote): TokenQuote =>
  quote.price === null ? quote : { ...quote, failure: 'rescaled' };
