import { sql } from 'drizzle-orm';
import { pushDevices } from '#schema/tables/push-devices.ts';
import { writeJson } from '#schema/rules/typed-json.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, selection, selectRows, valuesOf } from '../../../shared/rows.ts';
import { choices, readChoices, type DeliveriesRepository, type Recipient } from './deliveries.repository.ts';

const columns = selection(
  columnsOf(pushDevices, 'd', ['userId', 'endpoint', 'p256dh', 'auth']),
  choices(sql`d.user_id`),
);

/** Reads browsers as recipients. The messenger deletes browsers that are gone. */
export function createPushDeliveriesRepository(
  db: Database,
  toAddress: (devices: readonly Record<'endpoint' | 'p256dh' | 'auth', string>[]) => string,
): DeliveriesRepository {
  return {
    async listRecipients(userIds) {
      const query = sql`
        SELECT ${columns.list} FROM push_devices d JOIN sessions s ON s.token_hash = d.session_hash
        WHERE d.user_id IN ${valuesOf(userIds)}`;
      const rows = await selectRows(db, columns, query);
      return new Map(
        [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, devices]): [string, Recipient] => {
          const [first] = devices;
          const address = toAddress(
            devices.map(({ endpoint, p256dh, auth }) => ({ endpoint, p256dh, auth })),
          );
          return [
            userId,
            { chatId: address, ...readChoices(first ?? { kinds: writeJson([]), callers: writeJson([]) }) },
          ];
        }),
      );
    },
  };
}
