import { sql } from 'drizzle-orm';
import { MARK_DELAYS_MINUTES, MINUTE_MS } from '#schema/constants.ts';
import type { CallSide } from '#schema/rules/prices/quotes.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';

/** A price that is to be recorded for a call. */
export interface DueMark {
  readonly callId: string;
  readonly mint: string;
  readonly side: CallSide;
  readonly delayMinutes: number;
  /** Unix ms. */
  readonly dueAt: number;
}

export interface NewMark extends Pick<DueMark, 'callId' | 'side' | 'delayMinutes'> {
  /** Plain decimal in USD. */
  readonly price: string;
  readonly liquidityUsd: number | null;
  readonly source: string;
  /** Unix ms. */
  readonly seenAt: number;
  readonly ageMs: number;
}

/** Unix ms. */
interface Due {
  readonly from: number;
  readonly until: number;
}

/** Sorts after the id of every call. */
const LAST_ID = '~';

export type PriceMarksRepository = ReturnType<typeof createPriceMarksRepository>;

/** Other requests wait for D1 during a statement, so each one lists at most this many marks. */
export const DUE_MARKS_PER_PAGE = 500;

const SIDES = [
  { side: 'open', since: 'k.called_at', index: 'calls_by_opening' },
  { side: 'end', since: 'k.ended_at', index: 'calls_recent' },
] as const;

export function createPriceMarksRepository(db: Database) {
  /** Reads a small range of an index for one side and delay. */
  const listOne = async (timestamp: (typeof SIDES)[number], delayMinutes: number, { from, until }: Due) => {
    const { side } = timestamp;
    const [since, index] = [sql.raw(timestamp.since), sql.raw(timestamp.index)];
    const delay = delayMinutes * MINUTE_MS;
    const due: DueMark[] = [];
    let cursor: KeysetCursor | null = { value: from - delay, id: LAST_ID };
    while (cursor !== null) {
      const select = sql`
        SELECT k.id, k.token_mint AS mint, ${since} AS at
        FROM calls k INDEXED BY ${index}
        WHERE ${since} <= ${until - delay}
          AND NOT EXISTS (
            SELECT 1 FROM price_marks m
            WHERE m.call_id = k.id AND m.side = ${side} AND m.delay_minutes = ${delayMinutes})`;
      const page = {
        select,
        value: since,
        id: 'k.id',
        order: 'asc',
        cursor,
        limit: DUE_MARKS_PER_PAGE,
      } as const;
      const rows: { id: string; mint: string; at: number }[] = await db.all(keysetPage(page));
      due.push(
        ...rows.map(({ id, mint, at }) => ({ callId: id, mint, side, delayMinutes, dueAt: at + delay })),
      );
      const last = rows.length < DUE_MARKS_PER_PAGE ? undefined : rows.at(-1);
      cursor = last ? { value: last.at, id: last.id } : null;
    }
    return due;
  };

  return {
    /** Marks that are due after `from` and until `until`, without those that are recorded. */
    async listDue(period: Due): Promise<DueMark[]> {
      const lists = SIDES.flatMap((timestamp) =>
        MARK_DELAYS_MINUTES.map((delayMinutes) => listOne(timestamp, delayMinutes, period)),
      );
      return (await Promise.all(lists)).flat();
    },

    /** Ignores marks that are already recorded. Returns one row per new mark. */
    record: (marks: readonly NewMark[]): Statement => sql`
      INSERT INTO price_marks (call_id, side, delay_minutes, price, liquidity_usd, source, seen_at, age_ms)
      SELECT value ->> 'callId', value ->> 'side', value ->> 'delayMinutes', value ->> 'price',
        value ->> 'liquidityUsd', value ->> 'source', value ->> 'seenAt', value ->> 'ageMs'
      FROM json_each(${JSON.stringify(marks)})
      RETURNING 1`,
  };
}
