import { and, eq, isNull, sql } from 'drizzle-orm';
import type { REPORTED_KINDS } from '#schema/constants/people.ts';
import { OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import { reports } from '#schema/tables/reports.ts';
import type { ActionRequest, ActionRule } from '../../log/operator-acts.repository.ts';
import type { Database } from '../../../shared/database.ts';
import { build, hasRow } from '../../../shared/sql.ts';
import { isReadableCall } from '../../log/readable-calls.repository.ts';

const MAX_COUNTED_REPORTS = 1_000;
const SHOWN_REPORTS = 5;

interface Report {
  readonly reason: string;
  readonly text: string | null;
  readonly handle: string;
}

/** All open reports about one caller, call or update. */
export interface ThingRow {
  readonly kind: (typeof REPORTED_KINDS)[number];
  readonly subjectId: string;
  readonly callerId: string;
  readonly callerHandle: string;
  readonly isCallerSuspended: 0 | 1;
  readonly isTextHidden: 0 | 1;
  /** Null for a caller, and for an open call that operators may not see. */
  readonly callId: string | null;
  readonly count: number;
  readonly lastAt: number;
  /** The newest ones. */
  readonly reports: JsonText<Report[]>;
}

/** Lists subjects with open reports, the most reported first. Counts only the newest open reports. */
export const listReported = (db: Database) =>
  db.all<ThingRow>(sql`
        SELECT r.kind, r.subject_id AS subjectId, r.caller_id AS callerId, u.twitter_handle AS callerHandle,
          u.is_suspended AS isCallerSuspended, r.count, r.lastAt,
          EXISTS (SELECT 1 FROM hidden_texts
            WHERE kind = CASE r.kind WHEN 'caller' THEN 'bio' WHEN 'call' THEN 'thesis' ELSE 'update' END
              AND subject_id = r.subject_id) AS isTextHidden,
          (SELECT k.id FROM calls k
            WHERE k.id = iif(r.kind = 'call', r.subject_id, (SELECT call_id FROM call_updates WHERE id = r.subject_id))
              AND ${isReadableCall}) AS callId,
          (SELECT json_group_array(json_object('reason', n.reason, 'text', n.text, 'handle', w.twitter_handle))
            FROM (
              SELECT * FROM reports
              WHERE kind = r.kind AND subject_id = r.subject_id AND resolved_at IS NULL
              ORDER BY at DESC
              LIMIT ${SHOWN_REPORTS}) n
            JOIN users w ON w.id = n.reporter_id) AS reports
        FROM (
          SELECT kind, subject_id, caller_id, COUNT(*) AS count, MAX(at) AS lastAt
          FROM (SELECT * FROM reports WHERE resolved_at IS NULL ORDER BY at DESC LIMIT ${MAX_COUNTED_REPORTS})
          GROUP BY kind, subject_id
          ORDER BY count DESC, lastAt DESC
          LIMIT ${OPERATORS_PAGE_SIZE}) r
        CROSS JOIN users u ON u.id = r.caller_id
        ORDER BY r.count DESC, r.lastAt DESC`);

const isReportOf = ({ kind, subjectId }: ActionRequest) =>
  and(eq(reports.kind, sql`${kind}`), eq(reports.subjectId, subjectId));

export const RESOLVE_REPORTS: ActionRule = {
  exists: (request) => hasRow(reports, isReportOf(request)),
  applies: (request) => hasRow(reports, isReportOf(request), isNull(reports.resolvedAt)),
  statements: ({ isRecorded, ...request }) => [
    build
      .update(reports)
      .set({ resolvedAt: request.now })
      .where(and(isReportOf(request), isNull(reports.resolvedAt), isRecorded)),
  ],
};
