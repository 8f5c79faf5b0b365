import { and, desc, eq, getTableColumns, gte, lt, not, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { AuditQuery, OperatorAction } from '#schema/contracts/operators.ts';
import { operatorAudit } from '#schema/tables/operators.ts';
import { users } from '#schema/tables/users.ts';
import { logActSql, type ActionRequest } from '../../log/operator-acts.repository.ts';
import { allOf, equalsIgnoringCase, hasRow, valueIn } from '../../../shared/sql.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { ACTION_RULES } from './operator-actions.repository.ts';

export interface ActionRun extends ActionRequest {
  readonly entryId: string;
  readonly action: OperatorAction;
  readonly operatorXId: string;
}

export type AuditRow = Awaited<ReturnType<OperatorsRepository['listAudit']>>[number];

interface AuditPage extends Omit<AuditQuery, 'cursor'> {
  readonly before: number | null;
  readonly limit: number;
}

export type OperatorsRepository = ReturnType<typeof createOperatorsRepository>;

export function createOperatorsRepository(db: Database) {
  return {
    async findXUserId(userId: string): Promise<string | null> {
      const [row] = await db.select({ id: users.xUserId }).from(users).where(eq(users.id, userId));
      return row?.id ?? null;
    },

    /**
     * Writes the audit entry, the log entry and the change in one transaction. Nothing is written if there is nothing
     * to change.
     * @returns the results of the change's statements; null if nothing was written
     */
    async act(run: ActionRun): Promise<Record<string, unknown>[][] | null> {
      const { entryId, action, ...request } = run;
      const rule = ACTION_RULES[action];
      const isRecorded = hasRow(operatorAudit, eq(operatorAudit.id, entryId));
      const isNotDeleted = rule.isDeleted && not(rule.isDeleted(request));
      const condition = allOf(rule.exists(request), isNotDeleted, rule.applies?.(request));
      const entry = insertEntry(run, condition);
      const subject = rule.logged?.(request);
      const statements = rule.statements({ ...request, isRecorded });
      const [written = [], ...results] = await runBatch(db, [
        sql`${entry} RETURNING id`,
        ...(subject ? [logActSql({ entryId, action, ...request, ...subject }, isRecorded)] : []),
        ...statements,
      ]);
      return written.length === 1 ? results.slice(results.length - statements.length) : null;
    },

    /** For another repository's transaction: writes the audit entry if the condition holds. */
    recordIf: (run: ActionRun) => (condition: SQL) => insertEntry(run, condition),

    hasEntry: async (entryId: string) => (await db.$count(operatorAudit, eq(operatorAudit.id, entryId))) > 0,

    async findSubject(action: OperatorAction, request: ActionRequest) {
      const { exists, isDeleted } = ACTION_RULES[action];
      const [row] = await db.all<{ doesExist: 0 | 1; isDeleted: 0 | 1 }>(sql`
        SELECT ${exists(request)} AS doesExist, ${isDeleted?.(request) ?? sql`0`} AS isDeleted`);
      return { doesExist: row?.doesExist === 1, isDeleted: row?.isDeleted === 1 };
    },

    async listAudit({ operator, subject, action, since, before, limit }: AuditPage) {
      const { seq, at, operatorXId, subjectId } = operatorAudit;
      const { twitterHandle: handle, id, xUserId } = users;
      const isPerson = (column: SQLiteColumn, value: string, of: SQLiteColumn) =>
        sql`${column} IN (${value}, (SELECT ${of} FROM users WHERE ${equalsIgnoringCase(handle, value.replace(/^@/, ''))}))`;
      return db
        .select({
          ...getTableColumns(operatorAudit),
          operatorHandle: valueIn<string>(handle, eq(xUserId, operatorXId)),
          subjectHandle: valueIn<string>(handle, eq(id, subjectId)),
        })
        .from(operatorAudit)
        .where(
          and(
            operator === undefined ? undefined : isPerson(operatorXId, operator, xUserId),
            subject === undefined ? undefined : isPerson(subjectId, subject, id),
            action === undefined ? undefined : eq(operatorAudit.action, action),
            since === undefined ? undefined : gte(at, Date.parse(since)),
            before === null ? undefined : lt(seq, before),
          ),
        )
        .orderBy(desc(seq))
        .limit(limit);
    },
  };
}

function insertEntry(run: ActionRun, condition: SQL): SQL {
  const { entryId: id, now: at, operatorXId, action, subjectId, reason, kind } = run;
  const row = { id, at, operatorXId, action, subjectId, reason, kind: kind || null };
  return insertWhere(operatorAudit, row, condition);
}
