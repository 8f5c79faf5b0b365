import { CALL_AUTO_END_MS, SECOND_SOURCE_WAIT_MS, UNPRICED_END_MS } from '#schema/constants/market.ts';
import { MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { isStale } from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import { readOptionalCursor, writeCursor, type KeysetCursor } from '../../../shared/keyset.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { createAutomaticEndsRepository } from './automatic-ends.repository.ts';
import type { CallRow } from './call-queries.repository.ts';
import type { PricesService } from '../prices/prices.service.ts';
import type { FreshQuote } from '../prices/quote-requests.ts';
import { createEndCall } from './end-call.ts';

/** Each quote needs a request to every price source, and each end 16 statements: 50 leave a part of the 1,000 that D1 allows. */
export const MAX_QUOTES_PER_RUN = 20;
/** These take one request to Jupiter. */
export const MAX_CONFIRMED_ENDS_PER_RUN = 50;
export const MAX_UNPRICED_ENDS_PER_RUN = 30;
/** Later jobs wait for this job, and a source that doesn't respond takes up to ten seconds. */
const RUN_MS = MINUTE_MS / 2;

interface AutomaticEndsOptions extends Pick<Base, 'db' | 'leases' | 'clock'> {
  readonly prices: PricesService;
}

type Parts = ReturnType<typeof createParts>;

const createParts = (options: AutomaticEndsOptions) => ({
  ...options,
  repository: createAutomaticEndsRepository(options.db),
  endCall: createEndCall(options),
});

/**
 * Ends calls whose callers don't end them: after CALL_AUTO_END_MS, and at 0 when no source has
 * priced the token for UNPRICED_END_MS. A cursor moves past calls that can't be ended now, so that other calls
 * don't wait for them. The cron hands the events to the sender afterwards.
 */
export function createAutomaticEndsService(options: AutomaticEndsOptions) {
  const parts = createParts(options);
  const { repository, prices, endCall, leases } = parts;
  return {
    /**
     * Ends a caller's open calls at the lowest price, because the account is deleted. A call without a price waits for
     * the next run. Returns whether there were no open calls.
     */
    async endAllOf(callerId: string): Promise<boolean> {
      const open = await repository.listActiveOf({ callerId, limit: MAX_QUOTES_PER_RUN });
      for (const call of open) {
        const { lowest } = await prices.backgroundQuote(call.token_mint);
        if (lowest === null) continue;
        await endCall({ call, quote: lowest, quotes: lowest.quotes, automaticEnd: 'caller_left' });
      }
      return open.length === 0;
    },

    /**
     * Ends overdue calls whose prices a batch request confirms. If there are none, asks about some calls alone.
     * `hasMore`: run it again, in another invocation.
     */
    async endDue(): Promise<{ overdue: number | null; unpriced: number | null; hasMore: boolean }> {
      const confirmed = await leases.run({
        job: 'calls.end_confirmed',
        work: (lease) => endOverdue(parts, { lease, isConfirmed: true }),
      });
      if (confirmed !== null && confirmed > 0) return { overdue: confirmed, unpriced: 0, hasMore: true };
      return {
        overdue: await leases.run({
          job: 'calls.end_overdue',
          work: (lease) => endOverdue(parts, { lease, isConfirmed: false }),
        }),
        unpriced: await leases.run({
          job: 'calls.end_unpriced',
          work: (lease) => endUnpriced(parts, lease),
        }),
        hasMore: false,
      };
    },
  };
}

/** `isConfirmed`: ends only calls whose prices a batch request confirms. */
async function endOverdue(
  { repository, prices, endCall, clock }: Parts,
  { lease, isConfirmed }: { lease: Lease; isConfirmed: boolean },
): Promise<number> {
  const deadline = clock.now() + RUN_MS;
  const limit = isConfirmed ? MAX_CONFIRMED_ENDS_PER_RUN : MAX_QUOTES_PER_RUN;
  const due = await repository.listOverdue({
    until: clock.now() - CALL_AUTO_END_MS,
    cursor: readOptionalCursor(lease.cursor ?? undefined),
    limit,
  });
  const mints = [...new Set(due.map((call) => call.token_mint))];
  const confirmed = isConfirmed ? await prices.confirmedQuotes(mints) : null;
  const quoteOf = async (call: CallRow) =>
    isConfirmed
      ? freshQuote(confirmed?.get(call.token_mint), clock.now())
      : overdueQuote({ call, ...(await prices.backgroundQuote(call.token_mint)), now: clock.now() });
  let ended = 0;
  let last: KeysetCursor | null = null;
  for (const call of due) {
    if (clock.now() > deadline) break;
    await lease.save();
    const quote = await quoteOf(call);
    if (quote !== null) {
      const isEnded = await endCall({ call, quote, quotes: quote.quotes, automaticEnd: 'time_limit' });
      if (isEnded) ended += 1;
    }
    last = { value: call.called_at, id: call.id };
  }
  const isLastPage = due.length < limit && last?.id === due.at(-1)?.id;
  await lease.commit({ cursor: isLastPage || last === null ? null : writeCursor(last) });
  return ended;
}

/** A quote of the batch that became stale during the run ends no call. */
function freshQuote(quote: FreshQuote | undefined, now: number): FreshQuote | null {
  return quote?.usableQuotes.every(({ quotedAt: at }) => !isStale({ at, now })) ? quote : null;
}

interface OverdueCall {
  readonly call: CallRow;
  readonly fresh: FreshQuote | null;
  readonly lowest: FreshQuote | null;
  readonly now: number;
}

/**
 * Returns the price that ends an overdue call, or null to wait for a second source. After
 * SECOND_SOURCE_WAIT_MS, the lowest usable price ends the call. Otherwise a caller could keep a loser open by
 * making the sources disagree.
 */
function overdueQuote({ call, fresh, lowest, now }: OverdueCall): FreshQuote | null {
  if (now - call.called_at >= CALL_AUTO_END_MS + SECOND_SOURCE_WAIT_MS) return lowest;
  return fresh !== null && fresh.usableQuotes.length >= MIN_RANKED_QUOTES ? fresh : null;
}

async function endUnpriced(parts: Parts, lease: Lease): Promise<number> {
  const { repository, clock } = parts;
  const deadline = clock.now() + RUN_MS;
  const until = clock.now() - UNPRICED_END_MS;
  const cursor = readOptionalCursor(lease.cursor ?? undefined);
  const due = await repository.listUnpriced({ until, cursor, limit: MAX_QUOTES_PER_RUN });
  let ended = 0;
  let last = cursor;
  let isDone = due.length < MAX_QUOTES_PER_RUN;
  for (const { mint, since } of due) {
    const left = MAX_UNPRICED_ENDS_PER_RUN - ended;
    if (clock.now() > deadline || left === 0) {
      isDone = false;
      break;
    }
    await lease.save();
    ended += await endCallsOfMint(parts, { mint, until, limit: left });
    last = { value: since, id: mint };
  }
  await lease.commit({ cursor: isDone || last === null ? null : writeCursor(last) });
  return ended;
}

async function endCallsOfMint(
  { repository, prices, endCall }: Parts,
  params: { mint: string; until: number; limit: number },
): Promise<number> {
  const { mint } = params;
  const calls = await repository.listActiveOfMint(params);
  if (calls.length === 0) {
    await repository.forgetUnused(mint);
    return 0;
  }
  const { quotes: evidence, fresh, isUnpriced } = await prices.backgroundQuote(mint);
  if (fresh !== null) await repository.forgetUnpriced(mint);
  if (!isUnpriced) return 0;
  let ended = 0;
  for (const call of calls) {
    const isEnded = await endCall({ call, quote: null, quotes: evidence, automaticEnd: 'no_price' });
    if (isEnded) ended += 1;
  }
  return ended;
}
