import { eq, sql } from 'drizzle-orm';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import type { Database } from '../../app/database.ts';

export type TelegramLinksRepository = ReturnType<typeof createTelegramLinksRepository>;

/** Which chat is whose. Times are unix ms; of a nonce only its hash is kept. */
export function createTelegramLinksRepository(db: Database) {
  const findAccount = async (condition: ReturnType<typeof sql>): Promise<string | null> => {
    const [row] = await db.all<{ twitter_handle: string }>(sql`
      SELECT u.twitter_handle FROM telegram_links l JOIN users u ON u.id = l.user_id WHERE ${condition} LIMIT 1`);
    return row?.twitter_handle ?? null;
  };

  return {
    /** Saves a handle with the nonce that connects it. Another handle than before ends the connection; the same one keeps it. */
    async save({ userId, handle, nonceHash, expiresAt, now }: { userId: string; handle: string; nonceHash: string; expiresAt: number; now: number }): Promise<void> {
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
     * Connects a chat and uses the nonce up, in one statement: while the nonce stands, has not expired and
     * the chat is nobody else's. Returns whether it did.
     */
    async bind({ nonceHash, chatId, now }: { nonceHash: string; chatId: string; now: number }): Promise<boolean> {
      const bound = await db.all(sql`
        UPDATE telegram_links
        SET chat_id = ${chatId}, connected_at = ${now}, updated_at = ${now}, start_nonce_hash = NULL, start_nonce_expires_at = NULL
        WHERE start_nonce_hash = ${nonceHash} AND start_nonce_expires_at > ${now}
          AND NOT EXISTS (SELECT 1 FROM telegram_links other WHERE other.chat_id = ${chatId} AND other.user_id <> telegram_links.user_id)
        RETURNING user_id`);
      return bound.length === 1;
    },

    /** Whether a nonce can still connect a chat. */
    async isNonceOpen({ nonceHash, now }: { nonceHash: string; now: number }): Promise<boolean> {
      return (await findAccount(sql`l.start_nonce_hash = ${nonceHash} AND l.start_nonce_expires_at > ${now}`)) !== null;
    },

    /** The X handle of the account that a chat is connected to. */
    findAccountOfChat: (chatId: string) => findAccount(sql`l.chat_id = ${chatId}`),
  };
}
