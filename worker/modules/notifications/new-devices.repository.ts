import { and, eq, sql } from 'drizzle-orm';
import { devices } from '#schema/tables/sessions.ts';
import type { Database } from '../../shared/database.ts';
import { columnsOf, computed, selection, selectRows } from '../../shared/rows.ts';
import { hasChat } from './has-chat.ts';

const deviceColumns = selection(
  columnsOf(devices, 'd', { seq: 'seq', userId: 'user_id' }),
  computed({ hasChat: hasChat(sql`d.user_id`) }),
);

export type NewDevicesRepository = ReturnType<typeof createNewDevicesRepository>;

/** Devices in which users signed in for the first time, written by the sign-in. Times are unix ms. */
export function createNewDevicesRepository(db: Database) {
  return {
    /** Devices that the sender has not accepted yet, oldest first. */
    async listNew(limit: number) {
      const query = sql`
        SELECT ${deviceColumns.list} FROM devices d
        WHERE d.queued_at IS NULL ORDER BY d.at, d.seq LIMIT ${limit}`;
      return selectRows(db, deviceColumns, query);
    },

    async markAccepted({ seqs, now }: { seqs: readonly number[]; now: number }): Promise<void> {
      await db.run(sql`
        UPDATE devices SET queued_at = ${now}
        WHERE queued_at IS NULL AND seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`);
    },

    async find({ seq, userId }: { seq: number; userId: string }) {
      const [device] = await db
        .select({ label: devices.label, at: devices.at })
        .from(devices)
        .where(and(eq(devices.seq, seq), eq(devices.userId, userId)));
      return device ?? null;
    },
  };
}
