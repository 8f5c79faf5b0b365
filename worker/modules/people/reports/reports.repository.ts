import { sql } from 'drizzle-orm';
import type { ReportBody } from '#schema/contracts/reports.ts';
import { reports } from '#schema/tables/reports.ts';
import type { Database } from '../../../shared/database.ts';
import { insertWhere } from '../../../shared/rows.ts';

export function createReportsRepository(db: Database) {
  return {
    async findReported({ kind, id }: Pick<ReportBody, 'kind' | 'id'>) {
      const found = {
        caller: sql`SELECT caller_id AS callerId, 1 AS isPublic FROM callers WHERE caller_id = ${id}`,
        call: sql`SELECT caller_id AS callerId, ended_at IS NOT NULL AS isPublic FROM calls WHERE id = ${id}`,
        update: sql`
          SELECT k.caller_id AS callerId, k.ended_at IS NOT NULL AS isPublic
          FROM call_updates n JOIN calls k ON k.id = n.call_id
          WHERE n.id = ${id}`,
      }[kind];
      const [row] = await db.all<{ callerId: string; isPublic: 0 | 1 }>(found);
      return row ?? null;
    },

    /** @returns false if the person has an open report of this subject, or has deleted the account */
    async insert(report: typeof reports.$inferInsert): Promise<boolean> {
      const isLive = sql`EXISTS (SELECT 1 FROM users WHERE live_id = ${report.reporterId})`;
      const added = await db.all(sql`
        ${insertWhere(reports, report, isLive)}
        ON CONFLICT DO NOTHING
        RETURNING id`);
      return added.length === 1;
    },
  };
}
