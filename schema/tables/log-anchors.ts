import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { table } from './table.ts';

/**
 * Transactions that write the log's root to the chain. A row is stored before its transaction is sent. Only
 * the newest row may be open (neither finalized nor dead).
 */
export const logAnchors = table(
  'log_anchors',
  {
    signature: text('signature').primaryKey(),
    size: integer('size').notNull(),
    root: text('root').notNull(),
    /** The signed transaction in base64. Null if it needn't be sent again. */
    signedBytes: text('signed_bytes'),
    lastValidBlockHeight: integer('last_valid_block_height').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** Time at which the transaction was seen as finalized and successful. */
    finalizedAt: timestamp('finalized_at'),
    blockTime: timestamp('block_time'),
    /** Time at which the transaction had failed or could no longer land. */
    deadAt: timestamp('dead_at'),
  },
  { withheld: 'Transactions with a checksum of the public log.', never: 'deleted' },
  (table) => [
    uniqueIndex('log_anchors_live')
      .on(table.size, table.createdAt)
      .where(sql`dead_at IS NULL`),
    uniqueIndex('log_anchors_one_open')
      .on(sql`(finalized_at IS NULL)`)
      .where(sql`finalized_at IS NULL AND dead_at IS NULL`),
    check('log_anchors_block', sql`(${table.blockTime} IS NULL) = (${table.finalizedAt} IS NULL)`),
    check('log_anchors_ended', sql`${table.finalizedAt} IS NULL OR ${table.deadAt} IS NULL`),
    check(
      'log_anchors_sendable',
      sql`(${table.signedBytes} IS NULL) = (COALESCE(${table.finalizedAt}, ${table.deadAt}) IS NOT NULL)`,
    ),
  ],
);

/** Witnesses' signatures of our checkpoints. They are never changed. */
export const logCosignatures = table(
  'log_cosignatures',
  {
    witness: text('witness').notNull(),
    size: integer('size').notNull(),
    /** The cosignature as a line of the signed note, without the newline. */
    line: text('line').notNull(),
    at: timestamp('at').notNull(),
  },
  {
    withheld: 'Signatures of the public log.',
    notBackedUp: 'witnesses sign the next checkpoint',
    never: 'changed',
  },
  (table) => [primaryKey({ columns: [table.witness, table.size] })],
);
