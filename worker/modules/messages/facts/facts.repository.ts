import { sql } from 'drizzle-orm';
import { facts } from '#schema/tables/facts.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import {
  columnsOf,
  computed,
  selection,
  selectRows,
  valuesOf,
  type SelectedRow,
} from '../../../shared/rows.ts';
import { recordFacts, type NewFact } from '../../log/facts.repository.ts';
import { hasFormerChat } from './former-chat.repository.ts';
import { isReachable } from './recipients.repository.ts';

/** `callId`: the call of a call's event. `isReachable`: the person has connected a channel. */
const columnsAt = (now: number) =>
  selection(
    columnsOf(facts, 'f', ['kind', 'subject', 'userId', 'at']),
    computed({
      callId: sql<string | null>`(SELECT call_id FROM call_events WHERE id = f.kind || ':' || f.subject)`,
      isReachable: isReachable(sql`f.user_id`),
      hasFormerChat: sql<0 | 1>`EXISTS (
        SELECT 1 FROM telegram_links l WHERE l.user_id = f.user_id AND ${hasFormerChat(now)})`,
    }),
  );

export type DueFact = SelectedRow<ReturnType<typeof columnsAt>>;

export type NextReminder = Omit<NewFact, 'isReminder'>;

export interface DueQuery {
  readonly isReminder: boolean;
  /** Facts up to this one were listed before. */
  readonly after: DueFact | undefined;
  readonly kinds: readonly string[];
  readonly now: number;
  readonly limit: number;
}

export function createFactsRepository(db: Database) {
  return {
    /** The facts that are due, oldest first. Leaves those of other kinds to the version that wrote them. */
    listDue({ isReminder, after, kinds, now, limit }: DueQuery): Promise<DueFact[]> {
      const columns = columnsAt(now);
      const query = sql`
        SELECT ${columns.list}
        FROM facts f
        WHERE f.is_reminder = ${Number(isReminder)} AND f.at <= ${now}
          AND (f.at, f.kind, f.subject) > (${after?.at ?? 0}, ${after?.kind ?? ''}, ${after?.subject ?? ''})
          AND f.kind IN ${valuesOf(kinds)}
        ORDER BY f.at, f.kind, f.subject
        LIMIT ${limit}`;
      return selectRows(db, columns, query);
    },

    async finish(
      done: readonly DueFact[],
      isReminder: boolean,
      next: readonly NextReminder[],
    ): Promise<void> {
      const told = sql`
        DELETE FROM facts
        WHERE (is_reminder, at, kind, subject) IN (
          SELECT ${Number(isReminder)}, value ->> 'at', value ->> 'kind', value ->> 'subject'
          FROM json_each(${JSON.stringify(done)}))`;
      const reminders = next.map((fact) => ({ ...fact, isReminder: true }));
      await runBatch(db, [told, ...(next.length === 0 ? [] : [recordFacts(reminders, sql`true`)])]);
    },
  };
}
