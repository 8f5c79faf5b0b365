import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { callEvents, failedDeliveries } from '#schema/tables/notifications.ts';
import type { ActionRequest, ActionRule, RecordedChange } from '../../log/operator-acts.repository.ts';
import type { Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { build, hasRow } from '../../../shared/sql.ts';

export function createResendsRepository(db: Database) {
  return {
    /** The newest events of which messages weren't sent. */
    listFailed: (limit: number) =>
      db
        .select()
        .from(failedDeliveries)
        .where(isNull(failedDeliveries.resolvedAt))
        .orderBy(desc(failedDeliveries.at))
        .limit(limit),

    async list(limit: number): Promise<string[]> {
      const wanted = await db.all<{ id: string }>(sql`
        SELECT event_id AS id FROM failed_deliveries
        WHERE resend_at IS NOT NULL
        ORDER BY resend_at
        LIMIT ${limit}`);
      return wanted.map(({ id }) => id);
    },

    async findCaller(eventId: string): Promise<string | null> {
      const [row] = await db
        .select({ callerId: callEvents.callerId })
        .from(callEvents)
        .where(eq(callEvents.id, eventId));
      return row?.callerId ?? null;
    },

    async markAccepted(ids: readonly string[]): Promise<void> {
      await db.run(sql`UPDATE failed_deliveries SET resend_at = NULL WHERE event_id IN ${valuesOf(ids)}`);
    },
  };
}

const event = ({ subjectId }: ActionRequest) => hasRow(failedDeliveries, eq(failedDeliveries.id, subjectId));
const openEvent = ({ subjectId }: ActionRequest) =>
  hasRow(failedDeliveries, eq(failedDeliveries.id, subjectId), isNull(failedDeliveries.resolvedAt));

const resolveEvent = ({ isRecorded, subjectId, now }: RecordedChange, resendAt: number | null) => [
  build
    .update(failedDeliveries)
    .set({ resolvedAt: now, resendAt })
    .where(and(eq(failedDeliveries.id, subjectId), isRecorded)),
];

export const RESEND_EVENT: ActionRule = {
  exists: event,
  applies: openEvent,
  statements: (change) => resolveEvent(change, change.now),
};

export const DISMISS_EVENT: ActionRule = {
  exists: event,
  applies: openEvent,
  statements: (change) => resolveEvent(change, null),
};
