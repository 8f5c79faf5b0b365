import { and, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import {
  CALL_AUTO_END_MS,
  CALL_END_NOTICE_MS,
  CALL_LIMITS,
  REPEATED_MINT_MS,
} from '#schema/constants/market.ts';
import type { AutomaticEnd, UncountedGainReason } from '#schema/rules/calls/ranking.ts';
import { calls, priceQuotes } from '#schema/tables/calls.ts';
import { users } from '#schema/tables/users.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { forgetReminder, recordFacts } from '../../log/facts.repository.ts';
import { createSalt } from '../../log/log-entries.ts';
import { appendLogEntry } from '../../log/log-entries.repository.ts';
import { isNotPaused } from '../../money/pauses/pauses.repository.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { allOf, build, hasRow, valueIn } from '../../../shared/sql.ts';
import type { TokenQuote } from '../../../ports/price-source.ts';
import { createCallQueries } from './call-queries.repository.ts';
import {
  addActiveMints,
  addCalledTokens,
  addEndedEvent,
  addHoldings,
  addOpenedEvents,
  removeActiveMint,
  renewHoldings,
} from './call-effects.repository.ts';
import { renewAfterFeeOrder } from '../../money/callers/after-fee.repository.ts';
import { activate, addOpening, countEnd } from './call-statistics.repository.ts';
import { loggedContent, type LoggedAt } from './logged-call.ts';
import { createFollowerResultsRepository, storeFigures } from './follower-results.repository.ts';

/** All sources' quotes at a call's entry or end. `recordedSource` is null if no source's price was recorded. */
export interface QuoteEvidence {
  readonly quotes: readonly TokenQuote[];
  readonly recordedSource: string | null;
}

type CallValues = typeof calls.$inferInsert;

export interface NewCall extends QuoteEvidence {
  readonly call: CallValues & { readonly [Key in LoggedAt<'entry'>]: Exclude<CallValues[Key], undefined> };
}

export interface CallEnd extends QuoteEvidence {
  readonly call: Pick<CallValues, 'id' | 'callerId' | 'calledAt'>;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly endedAt: number;
  readonly uncountedGainReason: UncountedGainReason | null;
  readonly automaticEnd: AutomaticEnd | null;
}

interface CallTimesQuery {
  readonly callerId: string;
  readonly since: number;
  readonly limit: number;
}

export type CallsRepository = ReturnType<typeof createCallsRepository>;

export function createCallsRepository(db: Database) {
  const followerResults = createFollowerResultsRepository(db);
  return {
    ...createCallQueries(db),

    /**
     * Opens a call, and writes its log entry, its quotes, the caller's statistics and the call's effects, in one batch. The
     * INSERT itself checks the call limits and whether the mint was called before, so that parallel requests can't bypass
     * these checks.
     * @returns false if the caller has reached a limit, or while calls are paused
     * @throws a UNIQUE violation if the caller has an active call of this token
     */
    async insert({ call, ...evidence }: NewCall): Promise<boolean> {
      const isRepeated = hasRow(calls, repeatedBy(call));
      const unrankedReason = sql`COALESCE(${call.unrankedReason ?? null}, iif(${isRepeated}, 'repeated_mint', NULL))`;
      const [, logged = []] = await runBatch(db, [
        insertWhere(calls, { ...call, unrankedReason }, allOf(isWithinLimits(call), isNotPaused('calls'))),
        logOpening({ call, ...evidence }),
        ...insertQuotes({ callId: call.id, side: 'open', ...evidence }),
        addOpening(call),
        activate([call.callerId], call.calledAt),
        renewAfterFeeOrder(call.callerId, call.calledAt),
        ...[addOpenedEvents, addActiveMints, addHoldings].map((add) => add(eq(calls.id, call.id))),
        recordOpening(call),
      ]);
      return logged.length === 1;
    },

    listEntryQuotes: (callId: string) =>
      db
        .select()
        .from(priceQuotes)
        .where(and(eq(priceQuotes.callId, callId), eq(priceQuotes.side, 'open'))),

    async isRepeatedMint(call: CallOfMint): Promise<boolean> {
      const [earlier] = await db.select({ id: calls.id }).from(calls).where(repeatedBy(call)).limit(1);
      return earlier !== undefined;
    },

    async listNewestCallTimes({ callerId, since, limit }: CallTimesQuery): Promise<number[]> {
      const rows = await db
        .select({ calledAt: calls.calledAt })
        .from(calls)
        .where(and(eq(calls.callerId, callerId), gt(calls.calledAt, since)))
        .orderBy(desc(calls.calledAt))
        .limit(limit);
      return rows.map(({ calledAt }) => calledAt);
    },

    /**
     * Ends an active call, and writes its log entry, its quotes, the caller's statistics and the end's effects, in one
     * batch. If two requests end a call at the same time, the second one violates the unique index of the quotes, which
     * rolls it back.
     * @returns false if the call has already ended; may throw a UNIQUE violation instead
     */
    async end({ call, quotes, recordedSource, ...end }: CallEnd): Promise<boolean> {
      const { endPrice, endedAt } = end;
      const results = await followerResults.readResults({ callerIds: [call.callerId], endingId: call.id });
      const [figures = renewAfterFeeOrder(call.callerId, endedAt)] = storeFigures(results, endedAt);
      const isPeak = sql`
        CAST(${endPrice} AS REAL) > CAST(COALESCE(${calls.peakPrice}, ${calls.entryPrice}) AS REAL)`;
      const [ended = []] = await runBatch(db, [
        db
          .update(calls)
          .set({
            ...end,
            isCallerVerified: valueIn<boolean>(users.isVerified, eq(users.id, call.callerId)),
            peakPrice: sql`iif(${isPeak}, ${endPrice}, COALESCE(${calls.peakPrice}, ${calls.entryPrice}))`,
            peakAt: sql`iif(${isPeak}, ${endedAt}, COALESCE(${calls.peakAt}, ${calls.calledAt}))`,
          })
          .where(and(eq(calls.id, call.id), isNull(calls.endedAt)))
          .returning({ id: calls.id }),
        logEnd({ call, quotes, recordedSource, ...end }),
        ...insertQuotes({ callId: call.id, side: 'end', quotes, recordedSource }),
        figures,
        ...countEnd(call),
        activate([call.callerId], endedAt),
        renewHoldings(call.id),
        addEndedEvent(call.id),
        recordFacts(
          [{ kind: 'call_ended', subject: call.id, userId: call.callerId, at: endedAt }],
          hasRow(calls, eq(calls.id, call.id), eq(calls.endedAt, endedAt)),
        ),
        forgetReminder(endsSoon(call.id, call.calledAt)),
        removeActiveMint(call.id),
        addCalledTokens(eq(calls.id, call.id)),
      ]);
      return ended.length === 1;
    },
  };
}

/** The call's statement comes first, because it decides whether the call is ranked. */
function logOpening({ call, quotes }: NewCall): SQL {
  const { id, callerId, calledAt } = call;
  const values = { ...call, unrankedReason: valueIn(calls.unrankedReason, eq(calls.id, id)) };
  const logged = loggedContent('entry', { id, values, quotes });
  return appendLogEntry(
    { callerId, callId: id, subjectId: id, kind: 'opened', ...logged, salt: createSalt(), at: calledAt },
    hasRow(calls, eq(calls.id, id)),
  );
}

function logEnd({ call, quotes, ...end }: CallEnd): SQL {
  const { id, callerId } = call;
  const logged = loggedContent('end', { id, values: end, quotes });
  return appendLogEntry(
    { callerId, callId: id, subjectId: id, kind: 'ended', ...logged, salt: null, at: end.endedAt },
    hasRow(calls, eq(calls.id, id), eq(calls.endedAt, end.endedAt)),
  );
}

interface CallQuotes extends QuoteEvidence {
  readonly callId: string;
  readonly side: 'open' | 'end';
}

function insertQuotes({ callId, side, quotes, recordedSource }: CallQuotes): Statement[] {
  const exists = hasRow(calls, eq(calls.id, callId));
  return quotes.map((quote) =>
    insertWhere(priceQuotes, { ...quote, callId, side, isRecorded: quote.source === recordedSource }, exists),
  );
}

interface CallTime {
  readonly callerId: string;
  readonly calledAt: number;
}

const isWithin = ({ callerId, calledAt, withinMs }: CallTime & { withinMs: number }) =>
  and(eq(calls.callerId, callerId), gt(calls.calledAt, calledAt - withinMs));

interface CallOfMint extends CallTime {
  readonly tokenMint: string;
}

const repeatedBy = ({ tokenMint, ...call }: CallOfMint) =>
  and(
    isWithin({ ...call, withinMs: REPEATED_MINT_MS }),
    eq(calls.tokenMint, tokenMint),
    isNull(calls.automaticEnd),
  );

function isWithinLimits(call: CallTime): SQL {
  const conditions = CALL_LIMITS.map(({ calls: most, withinMs }) => {
    const counted = build
      .select({ calledAt: calls.calledAt })
      .from(calls)
      .where(isWithin({ ...call, withinMs }))
      .limit(most);
    return sql`(SELECT COUNT(*) FROM ${counted}) < ${most}`;
  });
  return allOf(...conditions);
}

const endsSoon = (subject: string, calledAt: number) =>
  ({ kind: 'call_ends_soon', subject, at: calledAt + CALL_AUTO_END_MS - CALL_END_NOTICE_MS }) as const;

function recordOpening({ id, callerId, calledAt }: CallEnd['call']): SQL {
  const fact = { subject: id, userId: callerId };
  return recordFacts(
    [
      { kind: 'call_opened', ...fact, at: calledAt },
      { ...fact, ...endsSoon(id, calledAt), isReminder: true },
    ],
    hasRow(calls, eq(calls.id, id)),
  );
}
