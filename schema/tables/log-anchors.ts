import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';

/**
 * Transactions that write the log's root to the chain. A row is stored before its transaction is sent. Only the newest
 * one may be open, which means neither finalized nor dead.
 */
export const logAnchors = sqliteTable(
  'log_anchors',
  {
    signature: text('signature').primaryKey(),
    /** Size and root of the checkpoint. */
    size: integer('size').notNull(),
    root: text('root').notNull(),
    /** The signed transaction in base64. Null when it needn't be sent again. */
    signedBytes: text('signed_bytes'),
    lastValidBlockHeight: integer('last_valid_block_height').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** It is in a finalized block and succeeded. */
    finalizedAt: timestamp('finalized_at'),
    /** It failed, or can't land any more. */
    deadAt: timestamp('dead_at'),
  },
  (table) => [
    uniqueIndex('log_anchors_live')
      .on(table.size)
      .where(sql`dead_at IS NULL`),
    check('log_anchors_ended', sql`${table.finalizedAt} IS NULL OR ${table.deadAt} IS NULL`),
    check(
      'log_anchors_sendable',
      sql`(${table.signedBytes} IS NULL) = (COALESCE(${table.finalizedAt}, ${table.deadAt}) IS NOT NULL)`,
    ),
  ],
);

/** Signatures of witnesses on our checkpoints. They are never changed. */
export const logCosignatures = sqliteTable(
  'log_cosignatures',
  {
    /** The witness's verifier key. */
    witness: text('witness').notNull(),
    /** The checkpoint's size. */
    size: integer('size').notNull(),
    /** The signature's line of a signed note, without the newline. */
    line: text('line').notNull(),
    at: timestamp('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.witness, table.size] })],
);
