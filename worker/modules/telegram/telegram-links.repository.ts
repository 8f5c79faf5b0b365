import { eq, sql } from 'drizzle-orm';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import type { Database } from '../../shared/database.ts';

/** The account of a chat (its X handle) and its settings. */
interface ChatStandingRow {
  readonly account: string;
  readonly followedCallers: number;
  readonly mutedCallers: number;
  readonly kindsOff: readonly NotificationKind[];
}

export type TelegramLinksRepository = ReturnType<typeof createTelegramLinksRepository>;

/** Chats of accounts. Times are unix ms; only a nonce's hash is stored. */
export function createTelegramLinksRepository(db: Database) {
  /** Returns the account's X handle with the same statement that changed the link. */
  const returningAccount = sql`RETURNING (SELECT twitter_handle FROM users WHERE id = user_id) AS account`;

  return {
    ...createReads(db),

    /** Saves a handle and the nonce that connects it. A different handle ends the connection. */
    async save({
      userId,
      handle,
      nonceHash,
      expiresAt,
      now,
    }: {
      userId: string;
      handle: string;
      nonceHash: string;
      expiresAt: number;
      now: number;
    }): Promise<void> {
      const keptWithHandle = (column: 'chat_id' | 'connected_at') =>
        sql`CASE WHEN telegram_links.handle = excluded.handle COLLATE NOCASE THEN telegram_links.${sql.raw(column)} END`;
      await db
        .insert(telegramLinks)
        .values({ userId, handle, startNonceHash: nonceHash, startNonceExpiresAt: expiresAt, updatedAt: now })
        .onConflictDoUpdate({
          target: telegramLinks.userId,
          set: {
            handle,
            chatId: keptWithHandle('chat_id'),
            connectedAt: keptWithHandle('connected_at'),
            startNonceHash: nonceHash,
            startNonceExpiresAt: expiresAt,
            updatedAt: now,
          },
        });
    },

    async remove(userId: string): Promise<void> {
      await db.delete(telegramLinks).where(eq(telegramLinks.userId, userId));
    },

    /**
     * Connects a chat and deletes the nonce in one statement, if the nonce is valid, was given for the
     * chat's username, and the chat has no other account. Returns the account's X handle, or null.
     */
    async bind({
      nonceHash,
      chatId,
      username,
      now,
    }: {
      nonceHash: string;
      chatId: string;
      username: string;
      now: number;
    }): Promise<string | null> {
      const [bound] = await db.all<{ account: string }>(sql`
        UPDATE telegram_links
        SET chat_id = ${chatId}, connected_at = ${now}, updated_at = ${now}, start_nonce_hash = NULL, start_nonce_expires_at = NULL
        WHERE start_nonce_hash = ${nonceHash} AND start_nonce_expires_at > ${now} AND handle = ${username} COLLATE NOCASE
          AND NOT EXISTS (SELECT 1 FROM telegram_links other WHERE other.chat_id = ${chatId} AND other.user_id <> telegram_links.user_id)
        ${returningAccount}`);
      return bound?.account ?? null;
    },

    /**
     * Disconnects a chat that was connected by then (a later connection is newer than the event); the
     * handle stays. Returns the account's X handle, or null if nothing was connected.
     */
    async leave({ chatId, until }: { chatId: string; until: number }): Promise<string | null> {
      const [left] = await db.all<{ account: string }>(sql`
        UPDATE telegram_links SET chat_id = NULL, connected_at = NULL WHERE chat_id = ${chatId} AND connected_at <= ${until} ${returningAccount}`);
      return left?.account ?? null;
    },
  };
}

function createReads(db: Database) {
  return {
    /** The Telegram username that a valid nonce was given for. */
    async findHandleOfNonce({ nonceHash, now }: { nonceHash: string; now: number }): Promise<string | null> {
      const [row] = await db.all<{ handle: string }>(
        sql`SELECT handle FROM telegram_links WHERE start_nonce_hash = ${nonceHash} AND start_nonce_expires_at > ${now}`,
      );
      return row?.handle ?? null;
    },

    /** Null for a chat without an account. */
    async findStanding({ chatId, now }: { chatId: string; now: number }): Promise<ChatStandingRow | null> {
      const [row] = await db.all<Omit<ChatStandingRow, 'kindsOff'> & { kindsOff: string }>(sql`
        SELECT u.twitter_handle AS account,
          (SELECT count(DISTINCT caller_id) FROM subscriptions WHERE subscriber_id = l.user_id AND status = 'active' AND (ends_at IS NULL OR ends_at > ${now})) AS followedCallers,
          (SELECT count(*) FROM notification_mutes WHERE user_id = l.user_id) AS mutedCallers,
          (SELECT json_group_array(kind) FROM notification_opt_outs WHERE user_id = l.user_id) AS kindsOff
        FROM telegram_links l JOIN users u ON u.id = l.user_id WHERE l.chat_id = ${chatId}`);
      return row ? { ...row, kindsOff: JSON.parse(row.kindsOff) as NotificationKind[] } : null;
    },
  };
}
