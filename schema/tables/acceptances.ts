import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DOCUMENTS } from '#schema/constants/people.ts';
import { timestamp } from './columns.ts';
import { userReference } from './users.ts';

/** A version of a document that a user has accepted. Triggers refuse changes and deletion. */
export const acceptances = sqliteTable(
  'acceptances',
  {
    userId: userReference('user_id'),
    document: text('document', { enum: DOCUMENTS }).notNull(),
    /** The document's date, such as '2026-11-22' (`DOCUMENT_VERSIONS`). */
    version: text('version').notNull(),
    at: timestamp('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.version] })],
);
