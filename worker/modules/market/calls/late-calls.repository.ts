import { sql } from 'drizzle-orm';
import { logAnchors } from '#schema/tables/log-anchors.ts';
import { logEntries } from '#schema/tables/log.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { columnsOf, computed, selection, valuesOf, type SelectedRow } from '../../../shared/rows.ts';

const entryColumns = selection(
  columnsOf(logEntries, 'e', ['id', 'caller_id', 'call_id', 'at']),
  computed<{ may_be_flagged: 0 | 1 }>({
    may_be_flagged: `(
      e.kind IN ('opened', 'ended') AND EXISTS (SELECT 1 FROM calls WHERE id = e.call_id AND is_late = 0))`,
  }),
);
const anchorColumns = columnsOf(logAnchors, 'a', ['size', 'created_at', 'block_time']);

export type TimedEntry = SelectedRow<typeof entryColumns>;
/** `block_time` is null while it isn't known whether the transaction landed. */
export type TimedAnchor = SelectedRow<typeof anchorColumns>;

export function createLateCallsRepository(db: Database) {
  return {
    /** Lists the next log entries, and the anchors that cover them in the order of their blocks: `limit` each. */
    async listNext({ after, limit }: { after: number; limit: number }) {
      const [entries = [], anchors = []] = await runBatch(db, [
        sql`SELECT ${entryColumns.list} FROM log_entries e WHERE e.id > ${after} ORDER BY e.id LIMIT ${limit}`,
        sql`
          SELECT ${anchorColumns.list}
          FROM log_anchors a INDEXED BY log_anchors_live
          WHERE a.size > ${after} AND a.dead_at IS NULL
          ORDER BY a.size, a.created_at
          LIMIT ${limit}`,
      ]);
      return { entries: entries.map(entryColumns.read), anchors: anchors.map(anchorColumns.read) };
    },

    flag: (callIds: readonly string[]): Statement =>
      sql`UPDATE calls SET is_late = 1 WHERE id IN ${valuesOf(callIds)} AND is_late = 0`,
  };
}
