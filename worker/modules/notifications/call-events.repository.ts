import { sql } from 'drizzle-orm';
import type { CallEventKind } from '#schema/contracts/notifications.ts';
import { callerSummaryColumns, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../shared/keyset.ts';

/** An event that the sender has not taken over yet. */
export interface NewEvent {
  readonly id: string;
  readonly at: number;
}

/** An event joined with its call, its caller and its update; prices plain decimals. */
export interface CallEventRow extends CallerSummaryRow {
  readonly kind: CallEventKind;
  readonly call_id: string;
  readonly caller_id: string;
  readonly token_symbol: string;
  readonly token_name: string;
  readonly token_mint: string;
  readonly entry_price: string;
  readonly called_at: number;
  readonly end_price: string | null;
  readonly ended_at: number | null;
  readonly change_percent: number | null;
  readonly thesis: string | null;
  readonly target_price: string | null;
  readonly stop_price: string | null;
  readonly is_paid_promotion: number;
  readonly update_message: string | null;
}

export interface EventCountsRow {
  readonly id: string;
  readonly kind: CallEventKind;
  readonly call_id: string;
  readonly token_symbol: string;
  readonly at: number;
  readonly recipients: number;
  readonly delivered: number;
  readonly unreachable: number;
  readonly failed: number;
}

/** The followers of a caller who have not switched this kind of message off. */
interface Audience {
  readonly callerId: string;
  readonly kind: CallEventKind;
}

interface FollowersQuestion extends Audience {
  readonly after: string;
  readonly until: string;
  readonly limit: number;
}

interface EventsPageQuestion {
  readonly callerId: string;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export type CallEventsRepository = ReturnType<typeof createCallEventsRepository>;

/** Events of calls. Triggers write them together with the call, its end or its update. Times are unix ms. */
export function createCallEventsRepository(db: Database) {
  /** Connected followers who want this; entitlement is not checked here. */
  const fromAudience = ({ callerId, kind }: Audience) => sql`
    FROM subscriptions s JOIN telegram_links l ON l.user_id = s.subscriber_id AND l.chat_id IS NOT NULL
    WHERE s.caller_id = ${callerId} AND s.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM notification_mutes m WHERE m.user_id = s.subscriber_id AND m.caller_id = s.caller_id)
      AND NOT EXISTS (SELECT 1 FROM notification_opt_outs o WHERE o.user_id = s.subscriber_id AND o.kind = ${kind})`;

  return {
    /** Events that the sender has not taken over, oldest first. */
    async listNew(limit: number): Promise<NewEvent[]> {
      return db.all<NewEvent>(
        sql`SELECT id, at FROM call_events WHERE queued_at IS NULL ORDER BY at LIMIT ${limit}`,
      );
    },

    async markTaken({ ids, now }: { ids: readonly string[]; now: number }): Promise<void> {
      await db.run(sql`
        UPDATE call_events SET queued_at = ${now}
        WHERE queued_at IS NULL AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
    },

    async find(id: string): Promise<CallEventRow | null> {
      const [row] = await db.all<CallEventRow>(sql`
        SELECT e.kind, e.call_id, e.caller_id, k.token_symbol, k.token_name, k.token_mint, k.entry_price, k.called_at,
          k.end_price, k.ended_at, k.change_percent, k.thesis, k.target_price, k.stop_price, k.is_paid_promotion,
          n.message AS update_message, ${callerSummaryColumns}
        FROM call_events e
        JOIN calls k ON k.id = e.call_id
        JOIN users u ON u.id = e.caller_id
        LEFT JOIN call_updates n ON n.id = e.update_id
        WHERE e.id = ${id}`);
      return row ?? null;
    },

    async findAudience(id: string): Promise<Audience | null> {
      const [row] = await db.all<Audience>(
        sql`SELECT caller_id AS callerId, kind FROM call_events WHERE id = ${id}`,
      );
      return row ?? null;
    },

    /** Ids above `after`, up to `until`, in their order. */
    async listFollowers({ after, until, limit, ...audience }: FollowersQuestion): Promise<string[]> {
      const rows = await db.all<{ id: string }>(sql`
        SELECT DISTINCT s.subscriber_id AS id ${fromAudience(audience)}
          AND s.subscriber_id > ${after} AND s.subscriber_id <= ${until}
        ORDER BY s.subscriber_id LIMIT ${limit}`);
      return rows.map(({ id }) => id);
    },

    /** The same rule as `decideEntitlement`, for a number to show; sending applies the rule itself. */
    async countEntitledFollowers({ now, ...audience }: Audience & { now: number }): Promise<number> {
      const [row] = await db.all<{ count: number }>(sql`
        SELECT COUNT(DISTINCT s.subscriber_id) AS count ${fromAudience(audience)}
          AND ((SELECT fee_lamports FROM callers WHERE caller_id = s.caller_id) = 0
            OR (s.starts_at <= ${now} AND s.ends_at > ${now}))`);
      return row?.count ?? 0;
    },

    /** One page of a caller's events, newest first. */
    async listOfCaller({ callerId, cursor, limit }: EventsPageQuestion): Promise<EventCountsRow[]> {
      const select = sql`
        SELECT e.id, e.kind, e.call_id, k.token_symbol, e.at, e.recipients, e.delivered, e.unreachable, e.failed
        FROM call_events e JOIN calls k ON k.id = e.call_id
        WHERE e.caller_id = ${callerId}`;
      return db.all<EventCountsRow>(
        keysetPage({ select, value: sql`e.at`, id: sql`e.id`, order: 'desc', cursor, limit }),
      );
    },
  };
}
