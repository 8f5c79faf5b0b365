import { sql } from 'drizzle-orm';
import type { Database } from '../../shared/database.ts';
import type { Statement } from '../../shared/job-leases.ts';
import { archivedSize } from './log-entries.repository.ts';
import { TILE_WIDTH } from './merkle.ts';

export interface EndedCall {
  readonly id: string;
  readonly endedAt: number;
  /** The caller's call that ended before: its entries may have been the caller's newest when it was archived. */
  readonly previousId: string | null;
}

interface ArchiveState {
  /** The number of entries that a signed and anchored checkpoint covers. */
  readonly covered: number;
  /** The time of the newest checkpoint, which the trigger `log_entries_delete` takes for the present. */
  readonly checkedAt: number;
  /** The number of entries whose bundles are in R2, and the time of the last one. */
  readonly archived: number;
  readonly archivedUntil: number;
  readonly isExporting: 0 | 1;
}

/** An export reads the tables one after another, so nothing may move between them meanwhile. */
const isExporting = sql`EXISTS (
  SELECT 1 FROM job_leases
  WHERE job = 'backup.export' AND (holder IS NOT NULL OR cursor ->> 'step' <> 'done'))`;

export function createLogArchiveRepository(db: Database) {
  return {
    async readState(): Promise<ArchiveState> {
      const [row] = await db.all<ArchiveState>(sql`
        SELECT
          COALESCE(MIN((SELECT MAX(size) FROM log_checkpoints), (
            SELECT size FROM log_anchors
            WHERE dead_at IS NULL AND finalized_at IS NOT NULL
            ORDER BY size DESC
            LIMIT 1)), 0) AS covered,
          COALESCE((SELECT at FROM log_checkpoints ORDER BY size DESC LIMIT 1), 0) AS checkedAt,
          ${archivedSize} AS archived,
          COALESCE((SELECT at FROM log_bundles ORDER BY n DESC LIMIT 1), 0) AS archivedUntil,
          ${isExporting} AS isExporting`);
      if (row === undefined) throw new Error('A SELECT without FROM has one row');
      return row;
    },

    listEnded({
      from: [at, id],
      until,
      limit,
    }: {
      from: readonly [number, string];
      until: number;
      limit: number;
    }) {
      return db.all<EndedCall>(sql`
        SELECT k.id, k.ended_at AS endedAt, (
          SELECT p.id FROM calls p
          WHERE p.caller_id = k.caller_id AND p.ended_at IS NOT NULL AND (p.ended_at, p.id) < (k.ended_at, k.id)
          ORDER BY p.ended_at DESC, p.id DESC
          LIMIT 1) AS previousId
        FROM calls k INDEXED BY calls_recent
        WHERE k.ended_at IS NOT NULL AND (k.ended_at, k.id) > (${at}, ${id}) AND k.ended_at <= ${until}
        ORDER BY k.ended_at, k.id
        LIMIT ${limit}`);
    },
  };
}

const ASSERT_NO_EXPORT = sql`SELECT json(iif(${isExporting}, 'an export runs', 1))`;

/** Fails while an export runs. */
export const insertBundle = (n: number): Statement[] => [
  ASSERT_NO_EXPORT,
  sql`INSERT INTO log_bundles (n, at) SELECT ${n}, at FROM log_entries WHERE id = ${(n + 1) * TILE_WIDTH}`,
];

/**
 * Deletes the entries of calls as far as the trigger `log_entries_delete` allows it. Their ids and salts stay. Fails
 * while an export runs.
 */
export function deleteArchived(callIds: readonly string[]): Statement[] {
  const leaving = sql`
    FROM json_each(${JSON.stringify([...new Set(callIds)])}) c
    CROSS JOIN calls k ON k.id = c.value
    CROSS JOIN log_entries e ON e.caller_id = k.caller_id AND e.call_id = k.id
    WHERE k.follower_rule IS NOT NULL AND e.id <= ${archivedSize}
      AND EXISTS (
        SELECT 1 FROM log_entries o
        WHERE o.caller_id = e.caller_id AND o.number > e.number AND o.id <= ${archivedSize})
      AND NOT EXISTS (
        SELECT 1 FROM log_entries o
        WHERE o.caller_id = e.caller_id AND o.call_id = e.call_id AND o.kind = 'ended' AND o.id > ${archivedSize})`;
  return [
    ASSERT_NO_EXPORT,
    sql`
      INSERT INTO log_salts (caller_id, number, kind, subject_id, text_salt)
      SELECT e.caller_id, e.number, e.kind, e.subject_id, e.text_salt ${leaving} AND e.text_salt IS NOT NULL`,
    sql`
      UPDATE calls SET archived_entries = (
        SELECT json_group_array(value) FROM (
          SELECT value FROM json_each(calls.archived_entries)
          UNION ALL
          SELECT value FROM json_each(moved.ids)))
      FROM (SELECT e.call_id, json_group_array(e.id) AS ids ${leaving} GROUP BY e.call_id) moved
      WHERE calls.id = moved.call_id`,
    sql`DELETE FROM log_entries WHERE id IN (SELECT e.id ${leaving}) RETURNING id`,
  ];
}
