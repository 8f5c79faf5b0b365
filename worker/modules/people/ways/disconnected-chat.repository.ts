import { sql, type SQL } from 'drizzle-orm';
import { FORMER_CHAT_MS } from '#schema/constants/messages.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';

/** A link's columns without a Start link. A handle without a chat is pending and goes with the link. */
export const noStartLink = {
  startNonceHash: null,
  startNonceExpiresAt: null,
  startSessionHash: null,
  handle: sql`iif(${telegramLinks.chatId} IS NULL, NULL, ${telegramLinks.handle})`,
};

/** A link's columns without its chat. The row stays for the notices to the chat. */
export const disconnectedChat = (now: number) => ({
  handle: null,
  chatId: null,
  connectedAt: null,
  canCall: false,
  offer: null,
  sessionHash: null,
  ...formerChat(now),
});

/**
 * Remembers a chat that was connected for a week: a thief who disconnects or replaces it can't stop the notices of what
 * they make afterwards.
 * @param isLost a condition in SQL under which the chat is lost
 */
export function formerChat(now: number, isLost: SQL = sql`1`) {
  const { chatId, connectedAt, formerChatId, formerUntil } = telegramLinks;
  const isRemembered = sql`${chatId} IS NOT NULL AND ${connectedAt} <= ${now - FORMER_CHAT_MS} AND ${isLost}`;
  return {
    formerChatId: sql`iif(${isRemembered}, ${chatId}, ${formerChatId})`,
    formerUntil: sql`iif(${isRemembered}, ${now + FORMER_CHAT_MS}, ${formerUntil})`,
  };
}
