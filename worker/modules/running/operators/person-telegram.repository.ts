import { desc, eq, isNotNull } from 'drizzle-orm';
import { OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import { notificationMutes, notificationOptOuts } from '#schema/tables/notifications.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';
import { anyOf } from '../../../shared/sql.ts';

export function createPersonTelegramRepository(db: Database) {
  return {
    async find(personId: string) {
      const [[link], optOuts, muted] = await db.batch([
        db
          .select({
            connectedAt: telegramLinks.connectedAt,
            chatId: telegramLinks.chatId,
            isPending: anyOf(
              isNotNull(telegramLinks.handle),
              isNotNull(telegramLinks.startNonceHash),
            ).mapWith(Boolean),
          })
          .from(telegramLinks)
          .where(eq(telegramLinks.userId, personId)),
        db
          .select({ kind: notificationOptOuts.kind })
          .from(notificationOptOuts)
          .where(eq(notificationOptOuts.userId, personId)),
        db
          .select({ handle: users.twitterHandle })
          .from(notificationMutes)
          .innerJoin(users, eq(users.id, notificationMutes.callerId))
          .where(eq(notificationMutes.userId, personId))
          .orderBy(desc(notificationMutes.at))
          .limit(OPERATORS_PAGE_SIZE),
      ]);
      return {
        link: link ?? null,
        switchedOff: optOuts.map(({ kind }) => kind),
        muted: muted.map(({ handle }) => handle),
      };
    },
  };
}
