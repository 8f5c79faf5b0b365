import { sql } from 'drizzle-orm';
import type { RenewalStage } from '#schema/rules/renewal.ts';
import { callerSummaryColumns, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../shared/keyset.ts';
import { hasPendingReminder } from '../../shared/pending-reminder.ts';

/** The end of what somebody has with a caller, of which they are still to be told. */
export interface UntoldEnd {
  readonly id: string;
  readonly subscriberId: string;
  readonly callerId: string;
  readonly endsAt: number;
  /** 1 where the subscriber has connected a chat. */
  readonly hasChat: 0 | 1;
}

/** What stands between a subscriber and a caller now. Money in lamports. */
export interface RenewalTerms extends CallerSummaryRow {
  readonly fee_lamports: number;
  readonly payout_address: string | null;
  /** `null` where nothing was ever subscribed, or a free follow is open. */
  readonly last_end: number | null;
  /** 1 where what ends last was never paid for. */
  readonly last_is_free: 0 | 1 | null;
}

export type RenewalsRepository = ReturnType<typeof createRenewalsRepository>;

/** Ends of subscriptions and who was told of them. Times are unix ms. */
export function createRenewalsRepository(db: Database) {
  return {
    /** Ends later than `after`, up to `until`, of which their subscriber is still to be told at this stage; soonest first. */
    async listUntold({
      stage,
      after,
      until,
      cursor,
      limit,
    }: {
      stage: RenewalStage;
      after: number;
      until: number;
      cursor: KeysetCursor | null;
      limit: number;
    }): Promise<UntoldEnd[]> {
      const select = sql`
        SELECT s.id, s.subscriber_id AS subscriberId, s.caller_id AS callerId, s.ends_at AS endsAt,
          EXISTS (SELECT 1 FROM telegram_links WHERE user_id = s.subscriber_id AND chat_id IS NOT NULL) AS hasChat
        FROM subscriptions s
        WHERE s.status = 'active' AND s.ends_at > ${after} AND s.ends_at <= ${until} AND ${hasPendingReminder(stage)}`;
      return db.all<UntoldEnd>(
        keysetPage({ select, value: sql`s.ends_at`, id: sql`s.id`, order: 'asc', cursor, limit }),
      );
    },

    /** Notes that these ends were told at each of the stages. What is noted already stays as it is. */
    async markTold({
      ends,
      stages,
      now,
    }: {
      ends: readonly UntoldEnd[];
      stages: readonly RenewalStage[];
      now: number;
    }): Promise<void> {
      await db.run(sql`
        INSERT INTO renewal_notices (subscriber_id, caller_id, ends_at, kind, at)
        SELECT told.value ->> 'subscriberId', told.value ->> 'callerId', told.value ->> 'endsAt', stage.value, ${now}
        FROM json_each(${JSON.stringify(ends)}) told, json_each(${JSON.stringify(stages)}) stage WHERE true
        ON CONFLICT DO NOTHING`);
    },

    /** `null` for somebody who is no caller. */
    async findTerms({
      subscriberId,
      callerId,
    }: {
      subscriberId: string;
      callerId: string;
    }): Promise<RenewalTerms | null> {
      const [row] = await db.all<RenewalTerms>(sql`
        SELECT ${callerSummaryColumns}, c.fee_lamports, c.payout_address,
          (SELECT CASE WHEN COUNT(ends_at) = COUNT(*) THEN MAX(ends_at) END FROM subscriptions
           WHERE subscriber_id = ${subscriberId} AND caller_id = c.caller_id) AS last_end,
          (SELECT payment_id IS NULL FROM subscriptions WHERE subscriber_id = ${subscriberId} AND caller_id = c.caller_id ORDER BY ends_at DESC LIMIT 1) AS last_is_free
        FROM callers c JOIN users u ON u.id = c.caller_id WHERE c.caller_id = ${callerId}`);
      return row ?? null;
    },
  };
}
