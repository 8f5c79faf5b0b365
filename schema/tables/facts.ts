import type { FACT_KINDS } from '#schema/constants/messages.ts';
import { primaryKey, text } from 'drizzle-orm/sqlite-core';
import { flag, timestamp } from './columns.ts';
import { table } from './table.ts';
import { userReference } from './users.ts';

/**
 * Things that happened, or that will be due, and that people must still be told. The batch that makes a fact true
 * inserts it; `messages.write` hands it to the senders and deletes it. The table is WITHOUT ROWID, so an insert counts
 * as one written row.
 */
export const facts = table(
  'facts',
  {
    /** Reminders are written ahead. They wait for facts that have just happened, because many are due at once. */
    isReminder: flag('is_reminder').notNull(),
    /** The time when it happened, or when it will be due. */
    at: timestamp('at').notNull(),
    kind: text('kind').$type<(typeof FACT_KINDS)[number]>().notNull(),
    /** The key of the row that the fact is about. */
    subject: text('subject').notNull(),
    /** The person who is told, or the caller whose followers are told. */
    userId: userReference('user_id'),
  },
  { withheld: 'What people will be told within minutes, and reminders to come.', withoutRowid: true },
  (table) => [primaryKey({ columns: [table.isReminder, table.at, table.kind, table.subject] })],
);
