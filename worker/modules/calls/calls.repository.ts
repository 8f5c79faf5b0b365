import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { calls, priceQuotes } from '#schema/tables/calls.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import type { Statement } from '../../shared/job-leases.ts';
import type { TokenQuote } from '../../ports/price-source.ts';
import { createCallQueries } from './call-queries.ts';
import { refreshStatistics } from './call-statistics.repository.ts';

/** All sources' quotes at a call's entry or end, and the source of the recorded price. */
export interface QuoteEvidence {
  readonly quotes: readonly TokenQuote[];
  readonly recordedSource: string;
}

export interface NewCall extends QuoteEvidence {
  readonly call: typeof calls.$inferInsert;
}

export interface CallEnd extends QuoteEvidence {
  readonly call: { readonly id: string; readonly callerId: string };
  readonly endPrice: string;
  readonly changePercent: number;
  readonly endedAt: number;
}

export interface SeenPrices {
  /** Plain decimals in USD. */
  readonly prices: readonly (readonly [mint: string, price: string])[];
  /** Unix ms. */
  readonly at: number;
}

export type CallsRepository = ReturnType<typeof createCallsRepository>;

export function createCallsRepository(db: Database) {
  return {
    ...createCallQueries(db),

    /** @throws a UNIQUE violation if the caller already has an active call of this token */
    async insert({ call, ...evidence }: NewCall): Promise<void> {
      await runBatch(db, [
        db.insert(calls).values(call),
        insertQuotes(db, { callId: call.id, side: 'open', ...evidence }),
        refreshStatistics(call.callerId),
      ]);
    },

    /**
     * Ends an active call, and writes its quotes and the caller's statistics, in one batch. If two requests
     * end a call at the same time, the second one violates the unique index of the quotes, which rolls it
     * back.
     * @returns false if the call has already ended; may throw a UNIQUE violation instead
     */
    async end({ call, endPrice, changePercent, endedAt, ...evidence }: CallEnd): Promise<boolean> {
      const peak = sql`COALESCE(${calls.peakPrice}, ${calls.entryPrice})`;
      const isPeak = sql`CAST(${endPrice} AS REAL) > CAST(${peak} AS REAL)`;
      const [ended = []] = await runBatch(db, [
        db
          .update(calls)
          .set({
            endPrice,
            changePercent,
            endedAt,
            peakPrice: sql`CASE WHEN ${isPeak} THEN ${endPrice} ELSE ${peak} END`,
            peakAt: sql`CASE WHEN ${isPeak} THEN ${endedAt} ELSE COALESCE(${calls.peakAt}, ${calls.calledAt}) END`,
          })
          .where(and(eq(calls.id, call.id), isNull(calls.endedAt)))
          .returning({ id: calls.id }),
        insertQuotes(db, { callId: call.id, side: 'end', ...evidence }),
        refreshStatistics(call.callerId),
      ]);
      return ended.length === 1;
    },

    /**
     * Raises the peaks of active calls to these prices, if the calls are older than the prices. A call's
     * first peak is at least its entry price. Returns one row per raised peak.
     */
    raisePeaks({ prices, at }: SeenPrices): Statement {
      const isHigherThan = (other: SQL) => sql`CAST(p.price AS REAL) > CAST(${other} AS REAL)`;
      const isNewPeak = isHigherThan(sql`COALESCE(peak_price, entry_price)`);
      return sql`
        UPDATE calls
        SET peak_price = CASE WHEN ${isNewPeak} THEN p.price ELSE entry_price END,
          peak_at = CASE WHEN ${isNewPeak} THEN ${at} ELSE called_at END
        FROM (SELECT value ->> 0 AS mint, value ->> 1 AS price FROM json_each(${JSON.stringify(prices)})) p
        WHERE calls.token_mint = p.mint AND calls.ended_at IS NULL AND calls.called_at <= ${at}
          AND (calls.peak_price IS NULL OR ${isHigherThan(sql`calls.peak_price`)})
        RETURNING id`;
    },
  };
}

interface CallQuotes extends QuoteEvidence {
  readonly callId: string;
  readonly side: 'open' | 'end';
}

function insertQuotes(db: Database, { callId, side, quotes, recordedSource }: CallQuotes) {
  return db.insert(priceQuotes).values(
    quotes.map(({ source, price, failure, quotedAt, blockId, liquidityUsd }) => ({
      callId,
      side,
      source,
      price,
      failure,
      isRecorded: source === recordedSource,
      quotedAt,
      blockId,
      liquidityUsd,
    })),
  );
}
