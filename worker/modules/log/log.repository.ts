import { sql, type SQL } from 'drizzle-orm';
import { logCheckpoints, logEntries, type logTiles } from '#schema/tables/log.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { columnsOf, selectRows, valuesOf } from '../../shared/rows.ts';
import type { LogRow, SealedRow } from './build-entry.ts';
import { mapIndex, mapTilesOf } from './caller-map.ts';
import { ENTRIES_PER_ROW, type GrownLog, type LogEdge } from './grow-log.ts';
import { edgeOf, type Tiles } from './merkle.ts';

const rowColumns = columnsOf(logEntries, 'e', ['id', 'caller_id', 'kind', 'call_id', 'content', 'salt']);
const checkpointColumns = columnsOf(logCheckpoints, 'c', ['size', 'root', 'note']);

export type Checkpoint = ReturnType<typeof checkpointColumns.read>;
type Row = Readonly<Record<string, unknown>>;

interface SignedLog extends GrownLog {
  readonly previousSize: number;
  readonly note: string;
  /** Unix ms. */
  readonly at: number;
}

/** Keeps a statement's JSON well within D1's limit of 2 MB for a parameter. */
const CHARACTERS_PER_STATEMENT = 500_000;

export const newestCheckpoint = sql`
  SELECT ${checkpointColumns.list}
  FROM log_checkpoints c
  ORDER BY c.size DESC
  LIMIT 1`;

export type LogRepository = ReturnType<typeof createLogRepository>;

export function createLogRepository(db: Database) {
  return {
    async findCheckpoint(): Promise<Checkpoint | null> {
      const [checkpoint] = await selectRows(db, checkpointColumns, newestCheckpoint);
      return checkpoint ?? null;
    },

    /** Reads the newest checkpoint and the newest entry's id (0 if there is none). */
    async readEnds(): Promise<{ checkpoint: Checkpoint | null; lastId: number }> {
      const [[checkpoint] = [], [entry] = []] = await runBatch(db, [
        newestCheckpoint,
        sql`SELECT MAX(id) AS id FROM log_entries`,
      ]);
      return {
        checkpoint: checkpoint === undefined ? null : checkpointColumns.read(checkpoint),
        lastId: Number(entry?.['id'] ?? 0),
      };
    },

    /** Returns the time of the oldest entry that no checkpoint covers (unix ms). */
    async waitingSince(): Promise<number | null> {
      const [entry] = await db.all<{ at: number }>(sql`
        SELECT at FROM log_entries WHERE id = (SELECT COALESCE(MAX(size), 0) + 1 FROM log_checkpoints)`);
      return entry?.at ?? null;
    },

    /** Adds an entry of the caller map, unless the newest entry is one. */
    async appendMap(at: number): Promise<void> {
      const content = JSON.stringify({ time: at });
      await db.run(sql`
        INSERT INTO log_entries (kind, subject_id, content, at)
        SELECT 'map', 'map', ${content}, ${at}
        WHERE 'map' IS NOT (SELECT kind FROM log_entries ORDER BY id DESC LIMIT 1)`);
    },

    readRows({ after, limit }: { after: number; limit: number }): Promise<LogRow[]> {
      return selectRows(
        db,
        rowColumns,
        sql`SELECT ${rowColumns.list} FROM log_entries e WHERE e.id > ${after} ORDER BY e.id LIMIT ${limit}`,
      );
    },

    /** Reads the data that `growLog` needs to add these rows after the first `size` entries. */
    async readEdge(size: number, rows: readonly LogRow[]): Promise<LogEdge> {
      const indexes = [...new Set(rows.flatMap(({ caller_id: id }) => (id === null ? [] : mapIndex(id))))];
      const lastRow = size % ENTRIES_PER_ROW === 0 ? [] : [`0/${Math.floor(size / ENTRIES_PER_ROW)}`];
      const [hashes = [], [entries] = [], leaves = [], mapTiles = [], sealed = []] = await runBatch(db, [
        selectTiles('hashes', edgeOf(size)),
        selectTiles('entries', lastRow),
        sql`SELECT id, data FROM log_map_leaves WHERE id IN ${valuesOf(indexes)}`,
        selectTiles('map', mapTilesOf(indexes)),
        selectSealed(
          rows.filter(({ kind }) => kind === 'ended'),
          size,
        ),
      ]);
      return {
        size,
        hashes: readTiles(hashes),
        lastEntries: String(entries?.['data'] ?? ''),
        mapLeaves: new Map(leaves.map(({ id, data }) => [Number(id), String(data)])),
        mapTiles: readTiles(mapTiles),
        sealed: Map.groupBy(sealed.map(readSealed), ({ call }) => call),
      };
    },

    /** Stores a checkpoint and its tiles. @throws if another run has stored a checkpoint after the same one */
    async commit({ size, previousSize, root, note, at, ...log }: SignedLog): Promise<void> {
      const leaves = [...log.mapLeaves].map(([id, data]) => ({ id, data }));
      await runBatch(db, [
        sql`
          INSERT INTO log_checkpoints (size, previous_size, root, note, at)
          VALUES (${size}, ${previousSize}, ${root}, ${note}, ${at})`,
        ...writeTiles('entries', new Map([...log.entries].map(([n, data]) => [`0/${n}`, data]))),
        ...writeTiles('hashes', log.hashes),
        ...writeTiles('map', log.mapTiles),
        sql`
          INSERT INTO log_map_leaves (id, data)
          SELECT value ->> 'id', value ->> 'data' FROM json_each(${JSON.stringify(leaves)}) WHERE true
          ON CONFLICT DO UPDATE SET data = excluded.data`,
      ]);
    },

    ...createTileReads(db),
  };
}

function createTileReads(db: Database) {
  return {
    /** Reads hash tiles at their current widths. */
    findTiles: async (keys: readonly string[]): Promise<Tiles> =>
      readTiles(await db.all<Row>(selectTiles('hashes', keys))),

    /** Reads rows of entries in ascending order, starting at row number `from`. */
    async listEntries({ from, rows }: { from: number; rows: number }): Promise<string[]> {
      const keys = Array.from({ length: rows }, (_, index) => `0/${from + index}`);
      const found = readTiles(await db.all<Row>(selectTiles('entries', keys)));
      return keys.flatMap((key) => found.get(key) ?? []);
    },
  };
}

type TileKind = (typeof logTiles.$inferSelect)['kind'];

/** @param keys '{level}/{n}' */
export const selectTiles = (kind: TileKind, keys: readonly string[]): SQL => sql`
  SELECT t.level, t.n, t.data
  FROM json_each(${JSON.stringify(keys.map((key) => key.split('/').map(Number)))}) p
  CROSS JOIN log_tiles t ON t.kind = ${kind} AND t.level = p.value ->> 0 AND t.n = p.value ->> 1`;

export const readTiles = (rows: readonly Row[]): Tiles =>
  new Map(rows.map(({ level, n, data }) => [`${level}/${n}`, String(data)]));

/** SQL of the JSON entry with this id, and the join condition for `t`, the row of `log_tiles` that contains it. */
export function entryAt(id: SQL) {
  const perRow = sql.raw(String(ENTRIES_PER_ROW));
  return {
    entry: sql`json_extract('[' || t.data || ']', '$[' || ((${id} - 1) % ${perRow}) || ']')`,
    isInTile: sql`t.kind = 'entries' AND t.level = 0 AND t.n = (${id} - 1) / ${perRow}`,
  };
}

/** Selects the sealed rows of calls that end, with their numbers in the log (NULL if not in the log yet). */
function selectSealed(ends: readonly LogRow[], size: number): SQL {
  const list = JSON.stringify(ends.map(({ caller_id, call_id }) => [caller_id, call_id]));
  const { entry, isInTile } = entryAt(sql`e.id`);
  return sql`
    SELECT e.call_id, e.content, e.salt, ${entry} ->> 'number' AS number
    FROM json_each(${list}) p
    CROSS JOIN log_entries e
      ON e.caller_id = p.value ->> 0 AND e.call_id = p.value ->> 1 AND e.salt IS NOT NULL AND e.id <= ${size}
    CROSS JOIN log_tiles t ON ${isInTile}
    ORDER BY e.id`;
}

const readSealed = ({ call_id, content, salt, number }: Row): SealedRow & { readonly call: string } => ({
  call: String(call_id),
  content: String(content),
  salt: String(salt),
  number: Number(number),
});

/** Writes tiles in statements of limited length. */
function writeTiles(kind: TileKind, tiles: Tiles): SQL[] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const [key, data] of tiles) {
    const json = JSON.stringify([...key.split('/').map(Number), data]);
    if (length > 0 && length + json.length > CHARACTERS_PER_STATEMENT) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(json);
    length += json.length;
  }
  return parts.map(
    (part) => sql`
      INSERT INTO log_tiles (kind, level, n, data)
      SELECT ${kind}, value ->> 0, value ->> 1, value ->> 2 FROM json_each(${`[${part.join(',')}]`}) WHERE true
      ON CONFLICT DO UPDATE SET data = excluded.data`,
  );
}
