import { index, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { REPORT_REASONS, REPORTED_KINDS } from '#schema/constants/people.ts';
import { isUnset, timestamp } from './columns.ts';
import { erase, keep, table } from './table.ts';
import { userReference } from './users.ts';

/** Users' reports of callers, calls and updates. A person has at most one open report of the same subject. */
export const reports = table(
  'reports',
  {
    id: keep(text('id').primaryKey()),
    reporterId: keep(userReference('reporter_id')),
    kind: keep(text('kind', { enum: REPORTED_KINDS }).notNull()),
    subjectId: keep(text('subject_id').notNull()),
    callerId: keep(userReference('caller_id')),
    reason: keep(text('reason', { enum: REPORT_REASONS }).notNull()),
    text: erase(text('text')),
    at: keep(timestamp('at').notNull()),
    resolvedAt: keep(timestamp('resolved_at')),
  },
  { of: 'reporterId', pagedBy: ['at'] },
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
