import { sql } from 'drizzle-orm';
import { pushDevices } from '#schema/tables/push-devices.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, selection, selectRows, valuesOf } from '../../../shared/rows.ts';
import { choices, readChoices, type DeliveriesRepository, type Recipient } from './deliveries.repository.ts';

const columns = selection(
  columnsOf(pushDevices, 'd', ['userId', 'endpoint', 'p256dh', 'auth']),
  choices(sql`d.user_id`),
);

/** Reads browsers as recipients, whose `chatId` is the person's browsers as JSON. The messenger deletes browsers that are gone. */
export function createPushDeliveriesRepository(db: Database): DeliveriesRepository {
  return {
    async listRecipients(userIds) {
      const query = sql`
        SELECT ${columns.list} FROM push_devices d JOIN sessions s ON s.token_hash = d.session_hash
        WHERE d.user_id IN ${valuesOf(userIds)}`;
      const rows = await selectRows(db, columns, query);
      const byPerson = Map.groupBy(rows, ({ userId }) => userId);
      return new Map(
        rows.map(({ userId, kinds, callers }): [string, Recipient] => {
          const devices = byPerson
            .get(userId)
            ?.map(({ endpoint, p256dh, auth }) => ({ endpoint, p256dh, auth }));
          return [userId, { chatId: JSON.stringify(devices), ...readChoices({ kinds, callers }) }];
        }),
      );
    },
  };
}
