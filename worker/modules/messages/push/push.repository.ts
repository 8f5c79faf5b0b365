import { and, eq, or, sql } from 'drizzle-orm';
import { MAX_PUSH_DEVICES } from '#schema/constants/messages.ts';
import { pushDevices } from '#schema/tables/push-devices.ts';
import { recordFacts } from '../../log/facts.repository.ts';
import { wayMade } from '../../people/ways/way-made.ts';
import { isUniqueViolation, runBatch, type Database } from '../../../shared/database.ts';
import { columnsOf, selectRows, valuesOf } from '../../../shared/rows.ts';

export type PushDeviceRow = typeof pushDevices.$inferInsert;

const devices = columnsOf(pushDevices, 'd', ['endpoint', 'p256dh', 'auth']);
const endpoints = columnsOf(pushDevices, 'd', ['sessionHash', 'endpoint']);

export function createPushRepository(db: Database) {
  return {
    listOfUser: (userId: string) =>
      selectRows(
        db,
        endpoints,
        sql`SELECT ${endpoints.list} FROM push_devices d WHERE d.user_id = ${userId}`,
      ),

    listOfXUsers: (xUserIds: readonly string[]) =>
      selectRows(
        db,
        devices,
        sql`
          SELECT ${devices.list} FROM push_devices d JOIN users u ON u.id = d.user_id
          WHERE u.x_user_id IN ${valuesOf(xUserIds)}
          LIMIT ${MAX_PUSH_DEVICES}`,
      ),

    /**
     * Replaces earlier rows of this session or browser, and tells the person of a new browser. Deletes the person's
     * oldest browsers above the limit. The address of another person's browser moves only with its keys; otherwise saves
     * nothing and returns false.
     */
    async save(device: PushDeviceRow): Promise<boolean> {
      const { sessionHash, endpoint, userId, p256dh, auth } = pushDevices;
      const isOwn = or(eq(userId, device.userId), and(eq(p256dh, device.p256dh), eq(auth, device.auth)));
      const surplus = sql`
        SELECT session_hash FROM push_devices WHERE user_id = ${device.userId}
        ORDER BY created_at DESC LIMIT -1 OFFSET ${MAX_PUSH_DEVICES - 1}`;
      const notice = wayMade({ made: 'push', userId: device.userId, at: device.createdAt });
      const isNew = sql`NOT EXISTS (
        SELECT 1 FROM push_devices WHERE user_id = ${device.userId} AND endpoint = ${device.endpoint})`;
      const saving = runBatch(db, [
        recordFacts([notice], isNew),
        db
          .delete(pushDevices)
          .where(or(eq(sessionHash, device.sessionHash), and(eq(endpoint, device.endpoint), isOwn))),
        db.delete(pushDevices).where(sql`${userId} = ${device.userId} AND ${sessionHash} IN (${surplus})`),
        db.insert(pushDevices).values(device),
      ]);
      return saving.then(
        () => true,
        (error: unknown) => {
          if (isUniqueViolation(error)) return false;
          throw error;
        },
      );
    },

    async remove(session: string): Promise<void> {
      await db.delete(pushDevices).where(eq(pushDevices.sessionHash, session));
    },

    async forget(gone: readonly string[]): Promise<void> {
      await db.delete(pushDevices).where(sql`${pushDevices.endpoint} IN ${valuesOf(gone)}`);
    },
  };
}
