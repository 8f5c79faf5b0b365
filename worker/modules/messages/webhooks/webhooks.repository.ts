import { and, eq, not, sql } from 'drizzle-orm';
import { webhooks } from '#schema/tables/webhooks.ts';
import { isLeaving } from '../../money/callers/caller-standing.ts';
import { recordFacts } from '../../log/facts.repository.ts';
import { wayMade } from '../../people/ways/way-made.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { columnsOf, insertWhere, selectRows, valuesOf } from '../../../shared/rows.ts';
import type { DeliveriesRepository, Recipient } from '../delivery/deliveries.repository.ts';

export type WebhookRow = typeof webhooks.$inferSelect;

const addressColumns = columnsOf(webhooks, 'w', ['userId', 'url', 'secretCiphertext']);

export function createWebhooksRepository(db: Database) {
  return {
    async find(userId: string): Promise<WebhookRow | null> {
      const [row] = await db.select().from(webhooks).where(eq(webhooks.userId, userId));
      return row ?? null;
    },

    /** Replaces the user's webhook. Returns false if the user has asked to delete the account. */
    async save(row: WebhookRow): Promise<boolean> {
      const { userId, createdAt: at } = row;
      const isAllowed = not(isLeaving(userId));
      const [saved] = await runBatch(db, [
        sql`
          ${insertWhere(webhooks, row, isAllowed)}
          ON CONFLICT (user_id) DO UPDATE SET
            (url, secret_ciphertext, created_at, session_hash) =
            (excluded.url, excluded.secret_ciphertext, excluded.created_at, excluded.session_hash)
          RETURNING user_id`,
        recordFacts([wayMade({ made: 'webhook', userId, at })], isAllowed),
      ]);
      return saved?.length === 1;
    },
  };
}

/**
 * Webhooks as recipients, whose `chatId` is the webhook as JSON. Mutes and switches don't apply: a program filters by
 * itself. Failures aren't reported to operators, because they concern only the receiver.
 */
export function createWebhookDeliveriesRepository(db: Database): DeliveriesRepository {
  return {
    async listRecipients(userIds) {
      const query = sql`SELECT ${addressColumns.list} FROM webhooks w WHERE w.user_id IN ${valuesOf(userIds)}`;
      const rows = await selectRows(db, addressColumns, query);
      return new Map(
        rows.map((row): [string, Recipient] => [
          row.userId,
          { chatId: JSON.stringify(row), switchedOff: new Set(), mutedCallers: new Set() },
        ]),
      );
    },
    /** The receiver has responded 410. A webhook that was saved meanwhile stays. */
    async disconnect(address) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `listRecipients` wrote it.
      const { userId, secretCiphertext } = JSON.parse(address) as WebhookRow;
      await db
        .delete(webhooks)
        .where(and(eq(webhooks.userId, userId), eq(webhooks.secretCiphertext, secretCiphertext)));
    },
  };
}
