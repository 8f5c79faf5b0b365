import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { LOG_EVENT_KINDS } from '#schema/constants.ts';
import { timestamp } from './columns.ts';

/**
 * The public log's entries (docs/SEALED-CALLS.md). Ids have no gaps, and an entry's place in the log is its id - 1.
 * Triggers refuse every change, except that texts are erased.
 */
export const logEntries = sqliteTable(
  'log_entries',
  {
    id: integer('id').primaryKey(),
    /** Null for maps, which belong to nobody. */
    callerId: text('caller_id'),
    /** The kind of the content. */
    kind: text('kind', { enum: LOG_EVENT_KINDS }).notNull(),
    callId: text('call_id'),
    /** The id of the update or of the operator's act. Otherwise that of the call or caller. */
    subjectId: text('subject_id').notNull(),
    /** The content as JSON, with commitments instead of texts. */
    content: text('content').notNull(),
    /** 32 bytes in base64 that seal the content. Null if the content is public. */
    salt: text('salt'),
    /** 32 bytes in base64 that seal the text. Null if there is no text, or if it was erased. */
    textSalt: text('text_salt'),
    /** A name and handle. Other texts are in the tables of calls and updates. */
    text: text('text'),
    at: timestamp('at').notNull(),
  },
  (table) => [
    index('log_entries_of_call')
      .on(table.callerId, table.callId)
      .where(sql`caller_id IS NOT NULL`),
    index('log_entries_of_maps')
      .on(table.id)
      .where(sql`kind = 'map'`),
    check('log_entries_json', sql`json_valid(${table.content})`),
    check('log_entries_maps', sql`(${table.callerId} IS NULL) = (${table.kind} = 'map')`),
  ],
);

/** Every signed checkpoint. A trigger refuses a second checkpoint after the same one. */
export const logCheckpoints = sqliteTable('log_checkpoints', {
  /** Number of entries that it covers. */
  size: integer('size').primaryKey(),
  /** The size of the checkpoint before; 0 for the first. */
  previousSize: integer('previous_size').notNull(),
  /** Base64. */
  root: text('root').notNull(),
  /** The signed note. */
  note: text('note').notNull(),
  at: timestamp('at').notNull(),
});

export const LOG_TILE_KINDS = ['entries', 'hashes', 'map'] as const;

/**
 * Parts of the Merkle trees. A tile only grows, so that it serves every earlier width, too. Only tiles of the map are
 * replaced. All of this can be computed from the entries.
 */
export const logTiles = sqliteTable(
  'log_tiles',
  {
    kind: text('kind', { enum: LOG_TILE_KINDS }).notNull(),
    level: integer('level').notNull(),
    n: integer('n').notNull(),
    /** Hashes in base64, one after the other. For entries: a JSON array without its brackets. */
    data: text('data').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.level, table.n] })],
);

/** The map's leaves that have callers. */
export const logMapLeaves = sqliteTable('log_map_leaves', {
  id: integer('id').primaryKey(),
  data: text('data').notNull(),
});
