import { sql, type SQL } from 'drizzle-orm';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import type { Base } from '../../../app/base.ts';
import {
  columnsOf,
  computed,
  present,
  selection,
  selectRows,
  valuesOf,
  type SelectedRow,
} from '../../../shared/rows.ts';
import {
  formerRecipient,
  hasFormerChat,
  isForFormerChat,
  personOf,
} from '../facts/former-chat.repository.ts';
import type { ClosingEvent, EventCounts } from './outbox.repository.ts';

export interface Recipient {
  readonly chatId: string;
  readonly switchedOff: ReadonlySet<NotificationKind>;
  readonly mutedCallers: ReadonlySet<string>;
}

export const choices = (userId: SQL) =>
  computed({
    kinds: sql<
      JsonText<readonly NotificationKind[]>
    >`(SELECT json_group_array(kind) FROM notification_opt_outs WHERE user_id = ${userId})`,
    callers: sql<
      JsonText<readonly string[]>
    >`(SELECT json_group_array(caller_id) FROM notification_mutes WHERE user_id = ${userId})`,
  });

export const readChoices = ({ kinds, callers }: SelectedRow<ReturnType<typeof choices>>) => ({
  switchedOff: new Set(readJson(kinds)),
  mutedCallers: new Set(readJson(callers)),
});

const recipientColumns = selection(
  present(columnsOf(telegramLinks, 'l', ['userId', 'chatId'])),
  choices(sql`l.user_id`),
);

/** The same columns for former chats. */
const formerColumns = selection(
  computed({ userId: formerRecipient(sql`l.user_id`), chatId: 'l.former_chat_id' }),
  choices(sql`l.user_id`),
);

/** A channel's recipients. Only private chats on Telegram count deliveries, for callers and operators. */
export interface DeliveriesRepository {
  listRecipients(userIds: readonly string[]): Promise<ReadonlyMap<string, Recipient>>;
  disconnect?(address: string): Promise<void>;
  writeCounts?(counts: readonly EventCounts[]): Promise<void>;
  writeFailures?(failures: { events: readonly ClosingEvent[]; now: number }): Promise<void>;
}

export function createDeliveriesRepository({ db, clock }: Pick<Base, 'db' | 'clock'>): DeliveriesRepository {
  const rowsOf = (values: readonly unknown[]) => sql`json_each(${JSON.stringify(values)})`;

  return {
    async listRecipients(userIds) {
      const query = sql`
        SELECT ${recipientColumns.list} FROM telegram_links l
        WHERE l.chat_id IS NOT NULL AND l.user_id IN ${valuesOf(userIds)}
        UNION ALL
        SELECT ${formerColumns.list} FROM telegram_links l
        WHERE ${hasFormerChat(clock.now())} AND l.user_id IN ${valuesOf(userIds.filter(isForFormerChat).map(personOf))}`;
      const rows = await selectRows(db, recipientColumns, query);
      return new Map(
        rows.map(({ userId, chatId, ...chosen }) => [userId, { chatId, ...readChoices(chosen) }]),
      );
    },

    /** Disconnects a chat that can't get messages anymore. The user's Telegram handle stays saved. */
    async disconnect(chatId) {
      await db.run(
        sql`
          UPDATE telegram_links SET chat_id = NULL, connected_at = NULL, updated_at = ${clock.now()}
          WHERE chat_id = ${chatId}`,
      );
    },

    /** Stores delivery counts. Idempotent, because the counts are totals. */
    async writeCounts(counts) {
      await db.run(sql`
        UPDATE call_events SET recipients = now.value ->> 'recipients', delivered = now.value ->> 'delivered',
          unreachable = now.value ->> 'unreachable', failed = now.value ->> 'failed'
        FROM ${rowsOf(counts)} now WHERE call_events.id = now.value ->> 'id'`);
    },

    /**
     * Stores the events that the sender gave up on, with their number of unsent messages, for operators. An event
     * that was sent again and failed again is open again. `now` is unix ms.
     */
    async writeFailures({ events, now }) {
      await db.run(sql`
        INSERT INTO failed_deliveries (event_id, messages, error, at)
        SELECT value ->> 'id', value ->> 'unsent', value ->> 'error', ${now} FROM ${rowsOf(events)} WHERE true
        ON CONFLICT (event_id) DO UPDATE
          SET messages = excluded.messages, error = excluded.error, at = excluded.at, resolved_at = NULL
          WHERE resolved_at IS NOT NULL`);
    },
  };
}
