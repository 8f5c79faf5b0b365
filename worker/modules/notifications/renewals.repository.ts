import { sql } from 'drizzle-orm';
import type { RenewalStage } from '#schema/rules/renewal.ts';
import { callerSummaryColumns, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../shared/keyset.ts';
import { hasPendingReminder } from '../../shared/pending-reminder.ts';

export interface PendingReminder {
  readonly id: string;
  readonly subscriberId: string;
  readonly callerId: string;
  readonly endsAt: number;
  /** 1 if the subscriber has connected a chat. */
  readonly hasChat: 0 | 1;
}

/** The terms between a subscriber and a caller now. Money in lamports. */
export interface RenewalTerms extends CallerSummaryRow {
  readonly fee_lamports: number;
  readonly payout_address: string | null;
  /** Null without a subscription, and for a follow without an end. */
  readonly last_end: number | null;
  /** 1 if the last period was free. */
  readonly last_is_free: 0 | 1 | null;
}

interface PendingQuestion {
  readonly stage: RenewalStage;
  readonly after: number;
  readonly until: number;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

interface SentReminders {
  readonly reminders: readonly PendingReminder[];
  readonly stages: readonly RenewalStage[];
  readonly now: number;
}

export type RenewalsRepository = ReturnType<typeof createRenewalsRepository>;

/** Ends of subscriptions and the reminders sent for them. Times are unix ms. */
export function createRenewalsRepository(db: Database) {
  return {
    /** Ends later than `after`, up to `until`, without their reminder of this stage; soonest first. */
    async listPending({ stage, after, until, cursor, limit }: PendingQuestion): Promise<PendingReminder[]> {
      const select = sql`
        SELECT s.id, s.subscriber_id AS subscriberId, s.caller_id AS callerId, s.ends_at AS endsAt,
          EXISTS (SELECT 1 FROM telegram_links WHERE user_id = s.subscriber_id AND chat_id IS NOT NULL) AS hasChat
        FROM subscriptions s
        WHERE s.status = 'active' AND s.ends_at > ${after} AND s.ends_at <= ${until} AND ${hasPendingReminder(stage)}`;
      return db.all<PendingReminder>(
        keysetPage({ select, value: sql`s.ends_at`, id: sql`s.id`, order: 'asc', cursor, limit }),
      );
    },

    async markSent({ reminders, stages, now }: SentReminders): Promise<void> {
      await db.run(sql`
        INSERT INTO renewal_notices (subscriber_id, caller_id, ends_at, kind, at)
        SELECT sent.value ->> 'subscriberId', sent.value ->> 'callerId', sent.value ->> 'endsAt', stage.value, ${now}
        FROM json_each(${JSON.stringify(reminders)}) sent, json_each(${JSON.stringify(stages)}) stage
        WHERE true
        ON CONFLICT DO NOTHING`);
    },

    /** Null if the id is no caller. */
    async findTerms(pair: { subscriberId: string; callerId: string }): Promise<RenewalTerms | null> {
      const periods = sql`FROM subscriptions WHERE subscriber_id = ${pair.subscriberId} AND caller_id = c.caller_id`;
      const [row] = await db.all<RenewalTerms>(sql`
        SELECT ${callerSummaryColumns}, c.fee_lamports, c.payout_address,
          (SELECT CASE WHEN COUNT(ends_at) = COUNT(*) THEN MAX(ends_at) END ${periods}) AS last_end,
          (SELECT payment_id IS NULL ${periods} ORDER BY ends_at DESC LIMIT 1) AS last_is_free
        FROM callers c JOIN users u ON u.id = c.caller_id
        WHERE c.caller_id = ${pair.callerId}`);
      return row ?? null;
    },
  };
}
