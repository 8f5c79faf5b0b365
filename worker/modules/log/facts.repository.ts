import { sql, type SQL } from 'drizzle-orm';
import type { FactKind } from '#schema/contracts/notifications.ts';

// Facts: what people must be told. The batch that makes a fact true records it, and `messages.write` tells it.
// Recording a fact twice has no effect.

export interface NewFact {
  readonly kind: FactKind;
  readonly subject: string | number;
  readonly userId: string;
  /** Unix ms. */
  readonly at: number;
  /** True if it will be due at that time. */
  readonly isReminder?: boolean;
}

/** @param where a condition on nothing, or on rows that the batch has written before */
export const recordFacts = (facts: readonly NewFact[], where: SQL): SQL => sql`
  INSERT INTO facts (is_reminder, at, kind, subject, user_id)
  SELECT IFNULL(value ->> 'isReminder', 0), value ->> 'at', value ->> 'kind', value ->> 'subject', value ->> 'userId'
  FROM json_each(${JSON.stringify(facts)})
  WHERE ${where}
  ON CONFLICT DO NOTHING`;

/** @param rows a query of `at`, `subject` and `user_id` */
export const recordEach = (kind: FactKind, rows: SQL): SQL => insertRows(kind, 0, rows);

/** Like `recordEach`, for reminders that will be due at `at`. */
export const remindOfEach = (kind: FactKind, rows: SQL): SQL => insertRows(kind, 1, rows);

/** Takes a reminder back that isn't needed anymore. */
export const forgetReminder = ({ kind, subject, at }: Omit<NewFact, 'userId'>): SQL => sql`
  DELETE FROM facts WHERE is_reminder = 1 AND at = ${at} AND kind = ${kind} AND subject = ${String(subject)}`;

const insertRows = (kind: FactKind, isReminder: 0 | 1, rows: SQL): SQL => sql`
  INSERT INTO facts (is_reminder, at, kind, subject, user_id)
  SELECT ${isReminder}, at, ${kind}, subject, user_id
  FROM (${rows})
  WHERE true
  ON CONFLICT DO NOTHING`;
