import { and, eq, isNull, sql } from 'drizzle-orm';
import { DELIVERY_LEASE_MS } from '#schema/constants.ts';
import { deliveries } from '#schema/tables/notifications.ts';
import type { Database } from '../../app/database.ts';

interface Delivery {
  readonly eventId: string;
  readonly chatId: string;
}

export type DeliveriesRepository = ReturnType<typeof createDeliveriesRepository>;

/** Which chat was told of which event. Times are unix ms. */
export function createDeliveriesRepository(db: Database) {
  const isOf = ({ eventId, chatId }: Delivery) => and(eq(deliveries.eventId, eventId), eq(deliveries.chatId, chatId), isNull(deliveries.outcome));

  return {
    /** Begins a delivery, unless it is done, or another attempt began it within the lease. Returns whether it is ours. */
    async claim({ eventId, chatId, now }: Delivery & { now: number }): Promise<boolean> {
      const claimed = await db.all(sql`
        INSERT INTO deliveries (event_id, chat_id, claimed_at) VALUES (${eventId}, ${chatId}, ${now})
        ON CONFLICT DO UPDATE SET claimed_at = excluded.claimed_at
        WHERE outcome IS NULL AND claimed_at <= ${now - DELIVERY_LEASE_MS}
        RETURNING event_id`);
      return claimed.length === 1;
    },

    /** Gives a delivery back that did not come about, for the next attempt. */
    async release(delivery: Delivery): Promise<void> {
      await db.delete(deliveries).where(isOf(delivery));
    },

    async markDelivered(delivery: Delivery): Promise<void> {
      await db.update(deliveries).set({ outcome: 'delivered' }).where(isOf(delivery));
    },

    async isDelivered({ eventId, chatId }: Delivery): Promise<boolean> {
      const [row] = await db
        .select({ outcome: deliveries.outcome })
        .from(deliveries)
        .where(and(eq(deliveries.eventId, eventId), eq(deliveries.chatId, chatId)));
      return row?.outcome === 'delivered';
    },
  };
}
