import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { REPORT_REASONS, REPORTED_KINDS } from '#schema/constants/people.ts';
import { isUnset, timestamp } from './columns.ts';
import { userReference } from './users.ts';

/** Users' reports of callers, calls and updates. A person has at most one open report of the same subject. */
export const reports = sqliteTable(
  'reports',
  {
    id: text('id').primaryKey(),
    reporterId: userReference('reporter_id'),
    kind: text('kind', { enum: REPORTED_KINDS }).notNull(),
    subjectId: text('subject_id').notNull(),
    /** The caller whose page, call or update is reported. */
    callerId: userReference('caller_id'),
    reason: text('reason', { enum: REPORT_REASONS }).notNull(),
    text: text('text'),
    at: timestamp('at').notNull(),
    resolvedAt: timestamp('resolved_at'),
  },
  (table) => [
    uniqueIndex('reports_one_open')
      .on(table.kind, table.subjectId, table.reporterId)
      .where(isUnset(table.resolvedAt)),
    index('reports_open_of_subject')
      .on(table.kind, table.subjectId, table.at)
      .where(isUnset(table.resolvedAt)),
    index('reports_open').on(table.at).where(isUnset(table.resolvedAt)),
    index('reports_of_reporter').on(table.reporterId, table.at),
  ],
);
