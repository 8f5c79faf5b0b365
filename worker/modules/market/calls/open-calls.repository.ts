import { sql } from 'drizzle-orm';
import type { OpenCalls } from '#schema/rules/calls/open-calls.ts';
import type { Database } from '../../../shared/database.ts';

/** Public: it has no more than the number of open calls and the oldest one's day. Reads two rows. */
export async function readOpenCalls(db: Database, callerId: string): Promise<OpenCalls | null> {
  const [row] = await db.all<{ count: number; oldestAt: number | null }>(sql`
    SELECT total_calls - ended_calls AS count,
      (SELECT called_at
        FROM calls k INDEXED BY calls_active
        WHERE k.caller_id = callers.caller_id AND k.ended_at IS NULL
        ORDER BY called_at
        LIMIT 1) AS oldestAt
    FROM callers
    WHERE caller_id = ${callerId}`);
  if (row == null || row.oldestAt === null) return null;
  return { count: row.count, since: new Date(row.oldestAt).toISOString().slice(0, 10) };
}
