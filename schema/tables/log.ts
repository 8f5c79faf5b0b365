import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { LOG_EVENT_KINDS } from '#schema/constants/log.ts';
import { timestamp } from './columns.ts';
import { erase, keep, table, withhold } from './table.ts';
import { userReference } from './users.ts';

/**
 * The public log's entries (docs/SEALED-CALLS.md). Ids have no gaps, and an entry's index in the log is its
 * id - 1. The sequencer appends id 1 later, which is the first `keys`. Triggers refuse every change except erasing texts,
 * and every deletion except of archived entries (docs/decisions/074-archives.md).
 */
export const logEntries = table(
  'log_entries',
  {
    id: keep(integer('id').primaryKey()),
    /** Null for `keys` and `format`, which belong to no caller. */
    callerId: keep(text('caller_id')),
    number: keep(integer('number')),
    /** The kind of the entry. A sealed content may have another kind. */
    kind: keep(text('kind', { enum: LOG_EVENT_KINDS }).notNull()),
    callId: keep(text('call_id')),
    /** The id of the update or the operator's action. For other kinds, the id of the call or caller. */
    subjectId: keep(text('subject_id').notNull()),
    /** The content as JSON with its kind and time, and with commitments instead of texts. */
    content: keep(text('content').notNull()),
    /** The salt of the sealed content: 32 bytes in base64. Null if the content is public. */
    salt: withhold(text('salt')),
    /**
     * The salt of the commitment to the text: 32 bytes in base64. For `opened` and `named`, JSON of the salts by
     * member. Null if there is no text, or if it was erased.
     */
    textSalt: erase(text('text_salt')),
    /** JSON of the texts of `named`. Other texts are in the tables of calls and updates. */
    text: erase(text('text')),
    at: keep(timestamp('at').notNull()),
  },
  { of: 'callerId', erasedByHand: true },
  (table) => [
    uniqueIndex('log_entries_chain')
      .on(table.callerId, table.number)
      .where(sql`caller_id IS NOT NULL`),
    index('log_entries_of_call')
      .on(table.callerId, table.callId)
      .where(sql`caller_id IS NOT NULL`),
    index('log_entries_of_log')
      .on(table.kind, table.id)
      .where(sql`caller_id IS NULL`),
    check('log_entries_json', sql`json_valid(${table.content})`),
    check(
      'log_entries_keys',
      sql`(${table.callerId} IS NULL) = (${table.kind} IN ('keys', 'format')) AND (${table.callerId} IS NULL) = (${table.number} IS NULL)`,
    ),
  ],
);

/** The full bundles of entries in R2, without gaps. Bundle `n` has the entries with the ids from `n * 256 + 1` on. */
export const logBundles = table(
  'log_bundles',
  {
    n: integer('n').primaryKey(),
    /** The time of the bundle's last entry. */
    at: timestamp('at').notNull(),
  },
  { withheld: 'Files of the public log.', never: 'changed' },
);

/** The salts of texts whose entries are only in R2. */
export const logSalts = table(
  'log_salts',
  {
    callerId: erase(userReference('caller_id')),
    number: erase(integer('number').notNull()),
    kind: erase(text('kind', { enum: LOG_EVENT_KINDS }).notNull()),
    subjectId: erase(text('subject_id').notNull()),
    textSalt: erase(text('text_salt').notNull()),
  },
  { of: 'callerId', pagedBy: ['number'], erasedByHand: true, withoutRowid: true },
  (table) => [primaryKey({ columns: [table.callerId, table.number] })],
);

/** The signed checkpoints. A trigger refuses two checkpoints with the same previous checkpoint. */
export const logCheckpoints = table(
  'log_checkpoints',
  {
    /** The number of entries that the checkpoint covers. */
    size: integer('size').primaryKey(),
    previousSize: integer('previous_size').notNull(),
    /** The root hash in base64. */
    root: text('root').notNull(),
    note: text('note').notNull(),
    at: timestamp('at').notNull(),
  },
  {
    withheld: 'Signatures of the public log.',
    notBackedUp: 'signed again from the entries, with the same roots',
    never: 'changed',
  },
);

/** Tiles of the log's Merkle tree. They only grow, and can be computed from the entries. */
export const logTiles = table(
  'log_tiles',
  {
    level: integer('level').notNull(),
    n: integer('n').notNull(),
    /** Concatenated hashes in base64. */
    data: text('data').notNull(),
  },
  {
    withheld: 'Checksums of the public log.',
    notBackedUp: 'computed again from the entries',
    never: 'deleted',
  },
  (table) => [primaryKey({ columns: [table.level, table.n] })],
);
