import { sql, type SQL } from 'drizzle-orm';
import { logCheckpoints, logEntries } from '#schema/tables/log.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { archivedSize, logSize, nextLogId } from './log-entries.repository.ts';
import { columnsOf, computed, selection, selectRow, selectRows } from '../../shared/rows.ts';
import type { LogRow } from './build-entry.ts';
import type { EarlierParts, GrownLog } from './grow-log.ts';
import type { LogKeys } from './log-key.ts';
import { HASH_LENGTH, TILE_WIDTH, type Tiles } from './merkle.ts';

const rowColumns = columnsOf(logEntries, 'e', [
  'id',
  'callerId',
  'number',
  'kind',
  'callId',
  'content',
  'salt',
]);
const sealedColumns = columnsOf(logEntries, 'e', ['callId', 'number', 'content', 'salt']);
const lastColumns = selection(
  columnsOf(logEntries, 'e', ['callerId']),
  computed<{ hash: string }>({
    hash: `substr(t.data, (e.id - 1) % ${TILE_WIDTH} * ${HASH_LENGTH} + 1, ${HASH_LENGTH})`,
  }),
);
const checkpointColumns = columnsOf(logCheckpoints, 'c', ['size', 'root', 'note']);

export type Checkpoint = ReturnType<typeof checkpointColumns.read>;
type Row = Readonly<Record<string, unknown>>;

interface SignedLog extends GrownLog {
  readonly previousSize: number;
  readonly note: string;
  readonly at: number;
}

/** Keeps a statement's JSON well within D1's limit of 2 MB for a parameter. */
const CHARACTERS_PER_STATEMENT = 500_000;

export interface KeysRow {
  readonly id: number;
  readonly keys: LogKeys;
}

const newestCheckpoint = sql`
  SELECT ${checkpointColumns.list}
  FROM log_checkpoints c
  ORDER BY c.size DESC
  LIMIT 1`;

interface LogEnds {
  readonly checkpoint: Checkpoint | null;
  readonly lastId: number;
  /** The number of entries whose bundles are in R2. */
  readonly archived: number;
  readonly newest: KeysRow | null;
}

export function createLogRepository(db: Database) {
  const findTiles = async (keys: readonly string[]): Promise<Tiles> =>
    readTiles(await db.all<Row>(selectTiles(keys)));

  const readParts = async (size: number, rows: readonly LogRow[]): Promise<EarlierParts> => {
    const ends = rows.filter(({ kind }) => kind === 'ended');
    const [last = [], sealed = []] = await runBatch(db, [selectLast(rows), selectSealed(ends, size)]);
    return {
      size,
      last: new Map(last.map(lastColumns.read).map(({ callerId: id, hash }) => [id ?? '', hash])),
      sealed: Map.groupBy(sealed.map(sealedColumns.read), ({ callId: id }) => id ?? ''),
    };
  };

  return {
    async findCheckpoint(): Promise<Checkpoint | null> {
      return selectRow(db, checkpointColumns, newestCheckpoint);
    },

    /** The number of entries that the newest checkpoint covers, and of those whose bundles are in R2. */
    async readSizes(): Promise<{ size: number; archived: number }> {
      const size = sql`(SELECT COALESCE(MAX(size), 0) FROM log_checkpoints)`;
      const [row] = await db.all<{ size: number; archived: number }>(
        sql`SELECT ${size} AS size, ${archivedSize} AS archived`,
      );
      return row ?? { size: 0, archived: 0 };
    },

    async readEnds(): Promise<LogEnds> {
      const [[checkpoint] = [], [log] = [], [keys] = []] = await runBatch(db, [
        newestCheckpoint,
        sql`SELECT ${logSize} AS size, ${archivedSize} AS archived`,
        sql`SELECT id, content FROM log_entries WHERE caller_id IS NULL AND kind = 'keys' ORDER BY id DESC LIMIT 1`,
      ]);
      return {
        checkpoint: checkpoint === undefined ? null : checkpointColumns.read(checkpoint),
        lastId: Number(log?.['size']),
        archived: Number(log?.['archived']),
        newest: keys
          ? {
              id: Number(keys['id']),
              // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `appendKeys` wrote it.
              keys: JSON.parse(String(keys['content'])) as LogKeys,
            }
          : null,
      };
    },

    /** Appends a `keys` entry, unless one was appended after `before`. The first one is the log's first entry. */
    async appendKeys({ content, at, before }: { content: string; at: number; before: KeysRow | null }) {
      const id = before === null ? sql`1` : nextLogId;
      await db.run(sql`
        INSERT INTO log_entries (id, kind, subject_id, content, at)
        SELECT ${id}, 'keys', 'keys', ${content}, ${at}
        WHERE (SELECT MAX(id) FROM log_entries WHERE caller_id IS NULL AND kind = 'keys') IS ${before?.id ?? null}`);
    },

    async waitingSince(): Promise<number | null> {
      const [entry] = await db.all<{ at: number }>(sql`
        SELECT at FROM log_entries
        WHERE id > (SELECT COALESCE(MAX(size), 0) FROM log_checkpoints)
        ORDER BY id
        LIMIT 1`);
      return entry?.at ?? null;
    },

    readRows({ after, limit }: { after: number; limit: number }): Promise<LogRow[]> {
      return selectRows(
        db,
        rowColumns,
        sql`SELECT ${rowColumns.list} FROM log_entries e WHERE e.id > ${after} ORDER BY e.id LIMIT ${limit}`,
      );
    },

    /** Stores a checkpoint and its tiles. @throws if another run has stored a checkpoint after the same one */
    async commit({ size, previousSize, root, note, at, ...log }: SignedLog): Promise<void> {
      await runBatch(db, [
        sql`
          INSERT INTO log_checkpoints (size, previous_size, root, note, at)
          VALUES (${size}, ${previousSize}, ${root}, ${note}, ${at})`,
        ...writeTiles(log.hashes),
      ]);
    },

    findTiles,
    readParts,
  };
}

const selectTiles = (keys: readonly string[]): SQL => sql`
  SELECT t.level, t.n, t.data
  FROM json_each(${JSON.stringify(keys.map((key) => key.split('/').map(Number)))}) p
  CROSS JOIN log_tiles t ON t.level = p.value ->> 0 AND t.n = p.value ->> 1`;

const readTiles = (rows: readonly Row[]): Tiles =>
  new Map(rows.map(({ level, n, data }) => [`${level}/${n}`, String(data)]));

function selectLast(rows: readonly LogRow[]): SQL {
  const first = new Map(rows.toReversed().map(({ callerId: id, number }) => [id, (number ?? 0) - 1]));
  return sql`
    SELECT ${lastColumns.list}
    FROM json_each(${JSON.stringify([...first])}) p
    CROSS JOIN log_entries e ON e.caller_id = p.value ->> 0 AND e.number = p.value ->> 1
    CROSS JOIN log_tiles t ON t.level = 0 AND t.n = (e.id - 1) / ${sql.raw(String(TILE_WIDTH))}`;
}

function selectSealed(ends: readonly LogRow[], size: number): SQL {
  const list = JSON.stringify(ends.map(({ callerId, callId }) => [callerId, callId]));
  return sql`
    SELECT ${sealedColumns.list}
    FROM json_each(${list}) p
    CROSS JOIN log_entries e
      ON e.caller_id = p.value ->> 0 AND e.call_id = p.value ->> 1 AND e.salt IS NOT NULL AND e.id <= ${size}
    ORDER BY e.id`;
}

function writeTiles(tiles: Tiles): SQL[] {
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
      INSERT INTO log_tiles (level, n, data)
      SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${`[${part.join(',')}]`}) WHERE true
      ON CONFLICT DO UPDATE SET data = excluded.data`,
  );
}
