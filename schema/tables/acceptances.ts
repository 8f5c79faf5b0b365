import { primaryKey, text } from 'drizzle-orm/sqlite-core';
import { DOCUMENTS } from '#schema/constants/people.ts';
import { timestamp } from './columns.ts';
import { keep, table } from './table.ts';
import { userReference } from './users.ts';

/** A version of a document that a user has accepted. Triggers refuse changes and deletion. */
export const acceptances = table(
  'acceptances',
  {
    userId: keep(userReference('user_id')),
    document: keep(text('document', { enum: DOCUMENTS }).notNull()),
    /** The document's date, such as '2026-11-22' (`DOCUMENT_VERSIONS`). */
    version: keep(text('version').notNull()),
    at: keep(timestamp('at').notNull()),
  },
  { of: 'userId', never: 'changed' },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.version] })],
);
