import { sql } from 'drizzle-orm';
import { MARK_DELAY_MS, MARK_WINDOW_MS } from '#schema/constants/market.ts';
import type { CallSide } from '#schema/rules/prices/quotes.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import type { LoggedMark } from '../../log/log-entries.ts';

export interface DueMark {
  readonly callId: string;
  readonly mint: string;
  readonly side: CallSide;
  readonly at: number;
  /** 1 if the mint was scaled when the call was made or ended (SQLite). */
  readonly isScaled: number;
}

export type NewMark = LoggedMark & Pick<DueMark, 'callId' | 'side'>;

/** Other requests wait for D1 during a statement. */
export const DUE_MARKS_PER_SIDE = 1_000;

export function createPriceMarksRepository(db: Database) {
  return {
    /** Lists the calls whose mark is due at `now` (unix ms). Reads a small range of two indexes. */
    async listDue(now: number): Promise<DueMark[]> {
      const [from, until] = [now - MARK_DELAY_MS - MARK_WINDOW_MS, now - MARK_DELAY_MS];
      const hasNoMark = (side: CallSide) => sql`
        NOT EXISTS (
          SELECT 1 FROM price_marks m
          WHERE m.call_id = k.id AND m.side = ${side} AND m.price IS NOT NULL)`;
      const isScaled = sql`EXISTS (SELECT 1 FROM price_quotes q WHERE q.call_id = k.id AND q.multiplier IS NOT NULL)`;
      return db.all<DueMark>(sql`
        SELECT * FROM (
          SELECT k.id AS callId, k.token_mint AS mint, 'open' AS side, k.called_at AS at, ${isScaled} AS isScaled
          FROM calls k INDEXED BY calls_by_opening
          WHERE k.called_at BETWEEN ${from} AND ${until} AND ${hasNoMark('open')}
          ORDER BY k.called_at
          LIMIT ${DUE_MARKS_PER_SIDE})
        UNION ALL
        SELECT * FROM (
          SELECT k.id, k.token_mint, 'end', k.ended_at, ${isScaled}
          FROM calls k INDEXED BY calls_recent
          WHERE k.ended_at BETWEEN ${from} AND ${until} AND k.follower_rule IS NULL AND ${hasNoMark('end')}
          ORDER BY k.ended_at
          LIMIT ${DUE_MARKS_PER_SIDE})`);
    },

    /** A recorded price stays. Returns one row per mark that was written. */
    record: (marks: readonly NewMark[]): Statement => sql`
      INSERT INTO price_marks (call_id, side, price, liquidity_usd, sol_price_usd, source, seen_at)
      SELECT value ->> 'callId', value ->> 'side', value ->> 'price', value ->> 'liquidityUsd',
        value ->> 'solPriceUsd', value ->> 'source', value ->> 'seenAt'
      FROM json_each(${JSON.stringify(marks)})
      WHERE TRUE
      ON CONFLICT (call_id, side) DO UPDATE SET
        price = excluded.price,
        liquidity_usd = excluded.liquidity_usd,
        sol_price_usd = excluded.sol_price_usd,
        source = excluded.source,
        seen_at = excluded.seen_at
      WHERE price_marks.price IS NULL
      RETURNING 1`,
  };
}
