import { and, eq } from 'drizzle-orm';
import { devices } from '#schema/tables/sessions.ts';
import type { Database } from '../../../shared/database.ts';
import { createNoticeQueue } from './notice-queue.ts';

export type NewDevicesRepository = ReturnType<typeof createNewDevicesRepository>;

/** Devices in which users signed in for the first time, written by the sign-in. Times are unix ms. */
export function createNewDevicesRepository(db: Database) {
  return {
    ...createNoticeQueue(db, 'new_device'),

    async find({ seq, userId }: { seq: number; userId: string }) {
      const [device] = await db
        .select({ label: devices.label, at: devices.at })
        .from(devices)
        .where(and(eq(devices.seq, seq), eq(devices.userId, userId)));
      return device ?? null;
    },
  };
}
