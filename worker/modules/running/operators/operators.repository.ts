import { and, desc, eq, isNotNull, isNull, lt, not, sql, type SQL } from 'drizzle-orm';
import type { OperatorAction } from '#schema/contracts/operators.ts';
import { calls } from '#schema/tables/calls.ts';
import { operatorAudit } from '#schema/tables/operators.ts';
import { users } from '#schema/tables/users.ts';
import { createSalt, sealText } from '../../log/log-entries.ts';
import { appendLogEntry } from '../../log/log-entries.repository.ts';
import { hasRow, valueIn, allOf } from '../../../shared/sql.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { ACTION_RULES, type ActionRequest, type LoggedSubject } from './operator-actions.repository.ts';

export interface ActionRun extends ActionRequest {
  readonly entryId: string;
  readonly action: OperatorAction;
  readonly operatorXId: string;
}

interface AuditPage {
  readonly subjectId: string | undefined;
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

    async hasEntry(entryId: string): Promise<boolean> {
      const [row] = await db
        .select({ id: operatorAudit.id })
        .from(operatorAudit)
        .where(eq(operatorAudit.id, entryId));
      return row !== undefined;
    },

    async findSubject(action: OperatorAction, request: ActionRequest) {
      const { exists, isDeleted } = ACTION_RULES[action];
      const [row] = await db.all<{ doesExist: 0 | 1; isDeleted: 0 | 1 }>(sql`
        SELECT ${exists(request)} AS doesExist, ${isDeleted?.(request) ?? sql`0`} AS isDeleted`);
      return { doesExist: row?.doesExist === 1, isDeleted: row?.isDeleted === 1 };
    },

    async listAudit({ subjectId, before, limit }: AuditPage) {
      const { twitterHandle } = users;
      const operator = valueIn<string>(twitterHandle, eq(users.xUserId, operatorAudit.operatorXId));
      const subject = valueIn<string>(twitterHandle, eq(users.id, operatorAudit.subjectId));
      return db
        .select({ entry: operatorAudit, operatorHandle: operator, subjectHandle: subject })
        .from(operatorAudit)
        .where(
          and(
            subjectId === undefined ? undefined : eq(operatorAudit.subjectId, subjectId),
            before === null ? undefined : lt(operatorAudit.seq, before),
          ),
        )
        .orderBy(desc(operatorAudit.seq))
        .limit(limit);
    },
  };
}

function insertEntry(run: ActionRun, condition: SQL): SQL {
  const { entryId: id, now: at, operatorXId, action, subjectId, reason, kind } = run;
  const row = { id, at, operatorXId, action, subjectId, reason, kind: kind || null };
  return insertWhere(operatorAudit, row, condition);
}

interface Act extends LoggedSubject {
  readonly entryId: string;
  readonly action: OperatorAction;
  readonly reason: string;
  readonly now: number;
}

/**
 * SQL of an operator's act in the public log. While the call is active, the entry looks like an update. Writes nothing for people
 * who aren't callers.
 */
function logActSql({ entryId, action, reason, now, callerId, callId }: Act, isRecorded: SQL): SQL {
  const { commitment, salt: textSalt } = sealText(reason);
  const content = { kind: 'hidden', action, reason: commitment, call: callId };
  const entry = { callerId, callId, subjectId: entryId, content, textSalt, at: now };
  if (callId === null) {
    return appendLogEntry({ ...entry, kind: 'hidden', salt: null }, allOf(isRecorded, isNotNull(callerId)));
  }
  const ifActive = (value: string, otherwise: string | null) =>
    sql`iif(${hasRow(calls, eq(calls.id, callId), isNull(calls.endedAt))}, ${value}, ${otherwise})`;
  return appendLogEntry(
    { ...entry, kind: ifActive('updated', 'hidden'), salt: ifActive(createSalt(), null) },
    isRecorded,
  );
}
