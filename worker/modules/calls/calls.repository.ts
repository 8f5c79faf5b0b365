import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { PROVEN_Z } from '#schema/constants.ts';
import { PROVEN_WIN_FROM } from '#schema/rules/performance.ts';
import type { UnrankedReason } from '#schema/rules/ranking.ts';
import { NO_AVG_RETURN, NO_PROVEN_RATE, NO_WIN_RATE } from '#schema/tables/callers.ts';
import { calls, priceQuotes } from '#schema/tables/calls.ts';
import { callerSummaryColumns, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import type { Statement } from '../../shared/job-leases.ts';
import { keysetPage, type KeysetCursor } from '../../shared/keyset.ts';
import type { TokenQuote } from '../../ports/price-source.ts';

/** A call joined with its caller; prices plain decimals, times unix ms. */
export interface CallRow extends CallerSummaryRow {
  readonly id: string;
  readonly caller_id: string;
  readonly token_mint: string;
  readonly token_symbol: string;
  readonly token_name: string;
  readonly logo_uri: string | null;
  readonly entry_price: string;
  readonly called_at: number;
  readonly end_price: string | null;
  readonly ended_at: number | null;
  readonly change_percent: number | null;
  readonly thesis: string | null;
  readonly target_price: string | null;
  readonly stop_price: string | null;
  readonly is_paid_promotion: number;
  readonly unranked_reason: UnrankedReason | null;
  readonly peak_price: string | null;
  readonly peak_at: number | null;
}

/** Rows of `CallRow`; conditions on `k` are added. */
export const selectCalls = sql`
  SELECT k.id, k.caller_id, k.token_mint, k.token_symbol, k.token_name, k.logo_uri, k.entry_price, k.called_at, k.end_price,
    k.ended_at, k.change_percent, k.thesis, k.target_price, k.stop_price, k.is_paid_promotion, k.unranked_reason, k.peak_price, k.peak_at,
    ${callerSummaryColumns}
  FROM calls k JOIN users u ON u.id = k.caller_id`;

const statisticsColumns = sql`(total_calls, ended_calls, win_rate, avg_return, proven_rate, last_call_at)`;

const zSquare = PROVEN_Z * PROVEN_Z;
/** `provenRate` of schema/rules/performance.ts, step by step, over `tried` calls of which `proven_wins` were won; NULL without one. */
const provenRate = sql`
  100 * (proven_wins > 0) * MAX(0, 1.0 * proven_wins / tried + ${zSquare} / (2.0 * tried)
    - ${PROVEN_Z} * SQRT((1.0 * proven_wins / tried) * (1 - 1.0 * proven_wins / tried) / tried + ${zSquare} / (4.0 * tried * tried)))
  / (1 + ${zSquare} / tried)`;

/** A caller's statistics as their ended calls give them: the one definition in SQL, for an end and for the cron's check. */
const statistics = (callerId: SQL) => sql`
  SELECT total, ended, win_rate, avg_return, COALESCE(${provenRate}, ${NO_PROVEN_RATE}), last_call_at FROM (
    SELECT COUNT(*) AS total, COUNT(ended_at) AS ended,
      COALESCE(100.0 * SUM(change_percent > 0) / NULLIF(COUNT(ended_at), 0), ${NO_WIN_RATE}) AS win_rate,
      COALESCE(AVG(change_percent), ${NO_AVG_RETURN}) AS avg_return,
      NULLIF(COUNT(ended_at) FILTER (WHERE unranked_reason IS NULL), 0) + COUNT(*) FILTER (WHERE ended_at IS NULL) AS tried,
      COUNT(*) FILTER (WHERE unranked_reason IS NULL AND change_percent >= ${PROVEN_WIN_FROM}) AS proven_wins,
      COALESCE(MAX(ended_at), 0) AS last_call_at
    FROM calls WHERE caller_id = ${callerId})`;

export type CallsRepository = ReturnType<typeof createCallsRepository>;

export function createCallsRepository(db: Database) {
  const refreshStatistics = (callerId: string) => sql`
    UPDATE callers SET ${statisticsColumns} = (${statistics(sql`${callerId}`)})
    WHERE caller_id = ${callerId}`;

  const insertQuotes = ({
    callId,
    side,
    quotes,
    recordedSource,
  }: {
    callId: string;
    side: 'open' | 'end';
    quotes: readonly TokenQuote[];
    recordedSource: string;
  }) =>
    db.insert(priceQuotes).values(
      quotes.map((quote) => ({
        callId,
        side,
        source: quote.source,
        price: quote.price,
        failure: quote.failure,
        isRecorded: quote.source === recordedSource,
        quotedAt: quote.quotedAt,
        blockId: quote.blockId,
        liquidityUsd: quote.liquidityUsd,
      })),
    );

  return {
    /** Writes a call with the quotes behind its entry. @throws a UNIQUE violation for a token that is called already. */
    async insert({
      call,
      quotes,
      recordedSource,
    }: {
      call: typeof calls.$inferInsert;
      quotes: readonly TokenQuote[];
      recordedSource: string;
    }): Promise<void> {
      await runBatch(db, [
        db.insert(calls).values(call),
        insertQuotes({ callId: call.id, side: 'open', quotes, recordedSource }),
        refreshStatistics(call.callerId),
      ]);
    },

    /**
     * Ends a call that is still active, with the quotes behind its end and the caller's statistics, in
     * one batch. The end becomes the peak where it is higher; a call whose price was never followed peaked at
     * its entry or its end. The quotes' unique index makes the loser of two ends roll back whole.
     * @returns whether this call ended it; may also throw a UNIQUE violation when it did not.
     */
    async end({
      call,
      endPrice,
      changePercent,
      endedAt,
      quotes,
      recordedSource,
    }: {
      call: { id: string; callerId: string };
      endPrice: string;
      changePercent: number;
      endedAt: number;
      quotes: readonly TokenQuote[];
      recordedSource: string;
    }): Promise<boolean> {
      const isPeak = sql`CAST(${endPrice} AS REAL) > CAST(COALESCE(${calls.peakPrice}, ${calls.entryPrice}) AS REAL)`;
      const [ended = []] = await runBatch(db, [
        db
          .update(calls)
          .set({
            endPrice,
            changePercent,
            endedAt,
            peakPrice: sql`CASE WHEN ${isPeak} THEN ${endPrice} ELSE COALESCE(${calls.peakPrice}, ${calls.entryPrice}) END`,
            peakAt: sql`CASE WHEN ${isPeak} THEN ${endedAt} ELSE COALESCE(${calls.peakAt}, ${calls.calledAt}) END`,
          })
          .where(and(eq(calls.id, call.id), isNull(calls.endedAt)))
          .returning({ id: calls.id }),
        insertQuotes({ callId: call.id, side: 'end', quotes, recordedSource }),
        refreshStatistics(call.callerId),
      ]);
      return ended.length === 1;
    },

    async find(id: string): Promise<CallRow | null> {
      const [row] = await db.all<CallRow>(sql`${selectCalls} WHERE k.id = ${id}`);
      return row ?? null;
    },

    /** The caller's active call of this mint, or of this symbol on another mint. */
    async findActive({
      callerId,
      mint,
      symbol,
    }: {
      callerId: string;
      mint: string;
      symbol: string;
    }): Promise<{ tokenMint: string; tokenSymbol: string } | null> {
      const [row] = await db
        .select({ tokenMint: calls.tokenMint, tokenSymbol: calls.tokenSymbol })
        .from(calls)
        .where(
          and(
            eq(calls.callerId, callerId),
            isNull(calls.endedAt),
            sql`(${calls.tokenMint} = ${mint} OR ${calls.tokenSymbol} = ${symbol} COLLATE NOCASE)`,
          ),
        )
        .limit(1);
      return row ?? null;
    },

    /** Active calls of one caller, newest first. Only for who is entitled. */
    async listActive(callerId: string): Promise<CallRow[]> {
      return db.all<CallRow>(
        sql`${selectCalls} WHERE k.caller_id = ${callerId} AND k.ended_at IS NULL ORDER BY k.called_at DESC`,
      );
    },

    /** Ended calls of one caller, newest first. */
    async listEndedOf({ callerId, limit }: { callerId: string; limit: number }): Promise<CallRow[]> {
      return db.all<CallRow>(
        sql`${selectCalls} WHERE k.caller_id = ${callerId} AND k.ended_at IS NOT NULL ORDER BY k.ended_at DESC, k.id DESC LIMIT ${limit}`,
      );
    },

    /** Active calls of some callers and the newest ended ones of others, each newest first. */
    async listOfCallers({
      activeCallerIds,
      endedCallerIds,
      limit,
    }: {
      activeCallerIds: readonly string[];
      endedCallerIds: readonly string[];
      limit: number;
    }): Promise<CallRow[]> {
      const among = (ids: readonly string[]) =>
        sql`k.caller_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
      const [active = [], ended = []] = await runBatch(db, [
        sql`${selectCalls} WHERE k.ended_at IS NULL AND ${among(activeCallerIds)} ORDER BY k.called_at DESC LIMIT ${limit}`,
        sql`${selectCalls} WHERE k.ended_at IS NOT NULL AND ${among(endedCallerIds)} ORDER BY k.ended_at DESC, k.id DESC LIMIT ${limit}`,
      ]);
      return [...active, ...ended] as unknown as CallRow[];
    },

    /** One page of everybody's ended calls, newest first. */
    async listEnded({ cursor, limit }: { cursor: KeysetCursor | null; limit: number }): Promise<CallRow[]> {
      const select = sql`${selectCalls} WHERE k.ended_at IS NOT NULL`;
      return db.all<CallRow>(
        keysetPage({ select, value: sql`k.ended_at`, id: sql`k.id`, order: 'desc', cursor, limit }),
      );
    },

    /** The mints of all active calls, each once. */
    async listActiveMints(): Promise<string[]> {
      const rows = await db
        .selectDistinct({ mint: calls.tokenMint })
        .from(calls)
        .where(isNull(calls.endedAt));
      return rows.map(({ mint }) => mint);
    },

    /**
     * Lifts the peaks of active calls to prices ([mint, plain decimal]) that were seen at `at` (unix ms). The first look
     * takes the entry where that is higher. Gives a row for each peak that it wrote; a price from before a call says nothing of it.
     */
    raisePeaks({
      prices,
      at,
    }: {
      prices: readonly (readonly [mint: string, price: string])[];
      at: number;
    }): Statement {
      const isHigher = (than: SQL) => sql`CAST(p.price AS REAL) > CAST(${than} AS REAL)`;
      return sql`
        UPDATE calls SET
          peak_price = CASE WHEN ${isHigher(sql`COALESCE(peak_price, entry_price)`)} THEN p.price ELSE entry_price END,
          peak_at = CASE WHEN ${isHigher(sql`COALESCE(peak_price, entry_price)`)} THEN ${at} ELSE called_at END
        FROM (SELECT value ->> 0 AS mint, value ->> 1 AS price FROM json_each(${JSON.stringify(prices)})) p
        WHERE calls.token_mint = p.mint AND calls.ended_at IS NULL AND calls.called_at <= ${at}
          AND (calls.peak_price IS NULL OR ${isHigher(sql`calls.peak_price`)})
        RETURNING id`;
    },

    /** Ids of callers in their order, those after `after`. */
    async listCallerIds({ after, limit }: { after: string | null; limit: number }): Promise<string[]> {
      const rows = await db.all<{ caller_id: string }>(
        sql`SELECT caller_id FROM callers WHERE caller_id > ${after ?? ''} ORDER BY caller_id LIMIT ${limit}`,
      );
      return rows.map(({ caller_id }) => caller_id);
    },

    /** Recomputes the statistics of these callers and writes those that had drifted. Gives a row for each that had. */
    repairStatistics(callerIds: readonly string[]): Statement {
      return sql`
        UPDATE callers SET ${statisticsColumns} = (${statistics(sql`callers.caller_id`)})
        WHERE ${statisticsColumns} IS NOT (${statistics(sql`callers.caller_id`)})
          AND caller_id IN (SELECT value FROM json_each(${JSON.stringify(callerIds)}))
        RETURNING caller_id`;
    },
  };
}
