import { sql, type SQL } from 'drizzle-orm';
import type { OpenCalls } from '#schema/rules/calls/open-calls.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import type { Database } from '../../../shared/database.ts';

/** SQL: the time of the caller's oldest open call. `endingId`: a call that is about to end, so it doesn't count as open. */
export const oldestOpenAt = (callerId: SQL, endingId = '') => sql<number | null>`(
  SELECT called_at
  FROM calls o INDEXED BY calls_active
  WHERE o.caller_id = ${callerId} AND o.ended_at IS NULL AND o.id <> ${endingId}
  ORDER BY called_at
  LIMIT 1)`;

/** Public: it has no more than the number of open calls and the oldest one's day. Reads two rows. */
export async function readOpenCalls(db: Database, callerId: string): Promise<OpenCalls | null> {
  const [row] = await db.all<{ count: number; oldestAt: number | null }>(sql`
    SELECT total_calls - ended_calls AS count,
      ${oldestOpenAt(sql`callers.caller_id`)} AS oldestAt
    FROM callers
    WHERE caller_id = ${callerId}`);
  return row ? publicOpenCalls(row) : null;
}

export function publicOpenCalls({ count, oldestAt }: { count: number; oldestAt: number | null }) {
  return oldestAt === null ? null : { count, since: toDay(oldestAt) };
}
