import { sql } from 'drizzle-orm';
import { logEntries } from '#schema/tables/log.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { isTextHidden } from '../../shared/hidden-texts.ts';
import { isLogStopped } from '../../shared/log-entries.ts';
import { columnsOf, computed, selection, selectRows, valuesOf } from '../../shared/rows.ts';
import { mapIndex, mapTilesOf } from './caller-map.ts';
import { entryAt, newestCheckpoint, readTiles, selectTiles, type Checkpoint } from './log.repository.ts';
import type { Tiles } from './merkle.ts';

const IDS_PER_QUERY = 1_000;
export const TEXTS_PER_PAGE = 100;

const rowColumns = selection(
  columnsOf(logEntries, 'e', ['id', 'kind', 'call_id']),
  computed<{ is_sealed: 0 | 1; has_text: 0 | 1; map_before: number | null; map_after: number | null }>({
    is_sealed: sql`e.salt IS NOT NULL`,
    has_text: sql`e.text_salt IS NOT NULL`,
    map_before: sql`(SELECT MAX(id) FROM log_entries WHERE kind = 'map' AND id < e.id)`,
    map_after: sql`(SELECT MIN(id) FROM log_entries WHERE kind = 'map' AND id > e.id)`,
  }),
);

/** A caller's entry, and the ids of the map entries before and after it. */
export type RecordRow = ReturnType<typeof rowColumns.read>;

/** The part of the log's newest state that a caller's record needs. */
export interface RecordState {
  readonly checkpoint: Checkpoint | null;
  /** True if the checkpoint's last entry is a map. */
  readonly isMapped: boolean;
  readonly isStopped: boolean;
  readonly leaf: string;
  readonly mapTiles: Tiles;
  readonly isCaller: boolean;
  /** True if operators have hidden the caller. */
  readonly isHidden: boolean;
}

export interface TextRow {
  readonly id: number;
  readonly salt: string;
  readonly text: string;
}

export type RecordRepository = ReturnType<typeof createRecordRepository>;

export function createRecordRepository(db: Database) {
  return {
    /** Reads in one transaction, because the map is replaced with each checkpoint. */
    async readState(callerId: string): Promise<RecordState> {
      const index = mapIndex(callerId);
      const [[checkpoint = null] = [], mapTiles = [], [state] = []] = await runBatch(db, [
        newestCheckpoint,
        selectTiles('map', mapTilesOf([index])),
        sql`
          SELECT
            (SELECT kind FROM log_entries WHERE id = (SELECT MAX(size) FROM log_checkpoints)) AS last_kind,
            (SELECT data FROM log_map_leaves WHERE id = ${index}) AS leaf,
            ${isLogStopped} AS is_stopped,
            u.is_hidden
          FROM (SELECT 1)
          LEFT JOIN callers c ON c.caller_id = ${callerId}
          LEFT JOIN users u ON u.id = c.caller_id`,
      ]);
      return {
        checkpoint: checkpoint as Checkpoint | null,
        isMapped: state?.['last_kind'] === 'map',
        isStopped: state?.['is_stopped'] === 1,
        leaf: String(state?.['leaf'] ?? ''),
        mapTiles: readTiles(mapTiles),
        isCaller: state?.['is_hidden'] !== null,
        isHidden: state?.['is_hidden'] === 1,
      };
    },

    /** Lists a caller's entries among the first `size` of the log, in ascending order. */
    listRows: (callerId: string, size: number): Promise<RecordRow[]> =>
      selectRows(
        db,
        rowColumns,
        sql`
          SELECT ${rowColumns.list}
          FROM log_entries e
          WHERE e.caller_id = ${callerId} AND e.id <= ${size}
          ORDER BY e.id`,
      ),

    /** Finds entries in the log's JSON format, by id. */
    async findEntries(ids: readonly number[]): Promise<Map<number, string>> {
      const entries = new Map<number, string>();
      const { entry, isInTile } = entryAt(sql`p.value`);
      for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
        const list = JSON.stringify(ids.slice(at, at + IDS_PER_QUERY));
        const rows = await db.all<{ id: number; entry: string }>(sql`
          SELECT p.value AS id, ${entry} AS entry
          FROM json_each(${list}) p
          CROSS JOIN log_tiles t ON ${isInTile}`);
        for (const row of rows) entries.set(row.id, row.entry);
      }
      return entries;
    },

    /** Lists the public texts of these entries. Their calls must have ended. */
    async listTexts(ids: readonly number[]): Promise<TextRow[]> {
      return db.all<TextRow>(sql`
        SELECT * FROM (
          SELECT e.id, e.text_salt AS salt, CASE e.kind
            WHEN 'name' THEN e.text
            WHEN 'updated' THEN (
              SELECT n.message FROM call_updates n
              WHERE n.id = e.subject_id AND NOT ${isTextHidden({ kind: 'update', id: sql`n.id` })})
            WHEN 'moderated' THEN NULL
            ELSE (
              SELECT k.thesis FROM calls k
              WHERE k.id = e.call_id AND NOT ${isTextHidden({ kind: 'thesis', id: sql`k.id` })})
            END AS text
          FROM log_entries e
          WHERE e.id IN ${valuesOf(ids)} AND e.text_salt IS NOT NULL)
        WHERE text <> ''`);
    },
  };
}
