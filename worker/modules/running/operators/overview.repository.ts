import { desc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm';
import { OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import { failedDeliveries } from '#schema/tables/notifications.ts';
import { ledgerChecks, paymentOrphans } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents } from '#schema/tables/payments.ts';
import { reports } from '#schema/tables/reports.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';
import { isTextHidden } from '../../log/hidden-texts.repository.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';
import { isUnreadablePayment } from '../../money/payments/pending-broadcasts.repository.ts';
import { hasReadableTexts, isReadableCall } from './people.repository.ts';

const MAX_COUNTED_PROBLEMS = 1_000;

const SHOWN_CHECKS = 7;
const SHOWN_REPORTS = 5;

const thingColumns = selection(
  columnsOf(reports, 'r', ['kind', 'subjectId', 'callerId']),
  computed<{
    callerHandle: string;
    isCallerSuspended: 0 | 1;
    reports: number;
    lastAt: number;
    text: string | null;
    isWithheld: 0 | 1;
    isTextHidden: 0 | 1;
  }>({
    callerHandle: 'u.twitter_handle',
    isCallerSuspended: 'u.is_suspended',
    reports: 'r.reports',
    lastAt: 'r.last_at',
    text: sql`CASE r.kind
      WHEN 'caller' THEN u.bio
      WHEN 'call' THEN (SELECT thesis FROM calls k WHERE k.id = r.subject_id AND ${hasReadableTexts})
      ELSE (
        SELECT n.message FROM call_updates n
        JOIN calls k ON k.id = n.call_id
        WHERE n.id = r.subject_id AND ${hasReadableTexts}) END`,
    isWithheld: sql`CASE r.kind
      WHEN 'caller' THEN 0
      WHEN 'call' THEN (SELECT NOT ${isReadableCall} FROM calls k WHERE k.id = r.subject_id)
      ELSE (
        SELECT NOT ${isReadableCall} FROM call_updates n
        JOIN calls k ON k.id = n.call_id
        WHERE n.id = r.subject_id) END`,
    isTextHidden: sql`CASE r.kind
      WHEN 'caller' THEN ${isTextHidden({ kind: 'bio', id: 'r.subject_id' })}
      WHEN 'call' THEN ${isTextHidden({ kind: 'thesis', id: 'r.subject_id' })}
      ELSE ${isTextHidden({ kind: 'update', id: 'r.subject_id' })} END`,
  }),
);

const reportColumns = selection(
  columnsOf(reports, 'r', ['kind', 'subjectId', 'reason', 'text', 'at']),
  computed<{ reporterHandle: string }>({ reporterHandle: 'u.twitter_handle' }),
);

const errorOfCheck = sql<string | null>`(
  SELECT json_extract(cursor, '$.error') FROM job_leases
  WHERE job = 'payments.check' AND json_extract(cursor, '$.day') = ledger_checks.day)`;

export type CheckRow = Awaited<ReturnType<OverviewRepository['listChecks']>>[number];
export type OrphanRow = Awaited<ReturnType<OverviewRepository['listOrphans']>>[number];
export type OrphanPayerRow = Awaited<ReturnType<OverviewRepository['listOrphanPayers']>>[number];
export type UnreadableRow = Awaited<ReturnType<OverviewRepository['listUnreadablePayments']>>[number];
export type ThingRow = SelectedRow<typeof thingColumns>;
export type ReportRow = SelectedRow<typeof reportColumns>;

export type OverviewRepository = ReturnType<typeof createOverviewRepository>;

export function createOverviewRepository(db: Database) {
  return {
    ...createReportReads(db),

    listOrphans: () =>
      db
        .select({ ...getTableColumns(paymentOrphans), handle: users.twitterHandle })
        .from(paymentOrphans)
        .leftJoin(users, eq(users.id, paymentOrphans.userId))
        .where(isNull(paymentOrphans.resolvedAt))
        .orderBy(paymentOrphans.foundAt)
        .limit(OPERATORS_PAGE_SIZE),

    listUnreadablePayments: () =>
      db
        .select({
          signature: paymentBroadcasts.signature,
          intentId: paymentBroadcasts.intentId,
          since: paymentBroadcasts.createdAt,
          userId: paymentIntents.userId,
          handle: users.twitterHandle,
        })
        .from(paymentBroadcasts)
        .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId))
        .innerJoin(users, eq(users.id, paymentIntents.userId))
        .where(isUnreadablePayment)
        .orderBy(paymentBroadcasts.createdAt)
        .limit(OPERATORS_PAGE_SIZE),

    listOrphanPayers: () =>
      db.all<{ payerAddress: string; orphans: number }>(sql`
        SELECT payer_address AS payerAddress, COUNT(*) AS orphans
        FROM (
          SELECT payer_address FROM payment_orphans
          WHERE resolved_at IS NULL
          ORDER BY found_at DESC
          LIMIT ${MAX_COUNTED_PROBLEMS})
        GROUP BY payer_address
        HAVING COUNT(*) > 1
        ORDER BY orphans DESC, payer_address
        LIMIT ${OPERATORS_PAGE_SIZE}`),

    listFailedEvents: () =>
      db
        .select()
        .from(failedDeliveries)
        .where(isNull(failedDeliveries.resolvedAt))
        .orderBy(desc(failedDeliveries.at))
        .limit(OPERATORS_PAGE_SIZE),

    /** The newest checks. `error` is why the last attempt of an unfinished check failed. */
    listChecks: () =>
      db
        .select({ ...getTableColumns(ledgerChecks), error: errorOfCheck })
        .from(ledgerChecks)
        .where(isNotNull(ledgerChecks.startedAt))
        .orderBy(desc(ledgerChecks.day))
        .limit(SHOWN_CHECKS),
  };
}

function createReportReads(db: Database) {
  return {
    /** Lists subjects with open reports, the most reported first. Counts only the newest open reports. */
    async listReported(): Promise<ThingRow[]> {
      const query = sql`
        SELECT ${thingColumns.list}
        FROM (
          SELECT kind, subject_id, caller_id, COUNT(*) AS reports, MAX(at) AS last_at
          FROM (SELECT * FROM reports WHERE resolved_at IS NULL ORDER BY at DESC LIMIT ${MAX_COUNTED_PROBLEMS})
          GROUP BY kind, subject_id
          ORDER BY reports DESC, last_at DESC
          LIMIT ${OPERATORS_PAGE_SIZE}
        ) r
        CROSS JOIN users u ON u.id = r.caller_id
        ORDER BY r.reports DESC, r.last_at DESC`;
      return selectRows(db, thingColumns, query);
    },

    async listReports(things: readonly ThingRow[]): Promise<ReportRow[]> {
      const subjects = JSON.stringify(things.map(({ kind, subjectId }) => [kind, subjectId]));
      const query = sql`
        SELECT ${reportColumns.list}
        FROM json_each(${subjects}) thing
        CROSS JOIN reports r ON r.rowid IN (
          SELECT rowid FROM reports
          WHERE kind = thing.value ->> 0 AND subject_id = thing.value ->> 1 AND resolved_at IS NULL
          ORDER BY at DESC
          LIMIT ${SHOWN_REPORTS})
        CROSS JOIN users u ON u.id = r.reporter_id
        ORDER BY r.at DESC`;
      return selectRows(db, reportColumns, query);
    },
  };
}
