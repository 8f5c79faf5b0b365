import { desc, eq } from 'drizzle-orm';
import { callers } from '#schema/tables/callers.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';

const MAX_PAYOUT_CHANGES = 10;

export type PersonRows = Awaited<ReturnType<ReturnType<typeof createPersonRepository>['find']>>;

export function createPersonRepository(db: Database) {
  return {
    async find(id: string) {
      const [[person], [caller], [chat], changes] = await Promise.all([
        db.select().from(users).where(eq(users.id, id)),
        db.select().from(callers).where(eq(callers.callerId, id)),
        db.select().from(telegramLinks).where(eq(telegramLinks.userId, id)),
        db
          .select()
          .from(payoutChanges)
          .where(eq(payoutChanges.callerId, id))
          .orderBy(desc(payoutChanges.at), desc(payoutChanges.seq))
          .limit(MAX_PAYOUT_CHANGES),
      ]);
      return person && { person, caller, chat, changes };
    },
  };
}
