import { and, eq, gt, isNotNull } from 'drizzle-orm';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { canCallInChat } from '#schema/rules/people/telegram.ts';
import type { Database } from '../../../shared/database.ts';
import type { Offer } from './caller-offers.ts';

interface NewOffer {
  readonly userId: string;
  readonly offer: Offer;
  readonly nonce: string;
  readonly expiresAt: number;
}

interface Press {
  readonly chatId: string;
  readonly nonce: string;
  readonly now: number;
}

export type CallerOffersRepository = ReturnType<typeof createCallerOffersRepository>;

/** The cards that callers get in their private chat. A new card replaces the one before. Times are unix ms. */
export function createCallerOffersRepository(db: Database) {
  return {
    async save({ userId, offer, nonce, expiresAt }: NewOffer): Promise<void> {
      await db
        .update(telegramLinks)
        .set({ offer: JSON.stringify(offer), offerNonce: nonce, offerExpiresAt: expiresAt })
        .where(eq(telegramLinks.userId, userId));
    },

    /**
     * Takes the offer of a pressed button, in one statement, so that it works once. Null if it was used, is too old or
     * was replaced, or if the caller has switched calls off.
     */
    async take({ chatId, nonce, now }: Press): Promise<{ userId: string; offer: Offer } | null> {
      const { userId, offer, callsFrom, connectedAt } = telegramLinks;
      const isOpen = and(eq(telegramLinks.offerNonce, nonce), gt(telegramLinks.offerExpiresAt, now));
      const [taken] = await db
        .update(telegramLinks)
        .set({ offerNonce: null, offerExpiresAt: null })
        .where(and(eq(telegramLinks.chatId, chatId), isOpen))
        .returning({ userId, offer, callsFrom, connectedAt });
      if (!taken || taken.offer === null || !canCallInChat(taken)) return null;
      return { userId: taken.userId, offer: JSON.parse(taken.offer) as Offer };
    },

    /** `callsFrom: null` switches calls off. Returns false if no chat is connected. */
    async switchCalls({ userId, callsFrom }: { userId: string; callsFrom: number | null }): Promise<boolean> {
      const switched = await db
        .update(telegramLinks)
        .set({ callsFrom, offer: null, offerNonce: null, offerExpiresAt: null })
        .where(and(eq(telegramLinks.userId, userId), isNotNull(telegramLinks.chatId)))
        .returning({ userId: telegramLinks.userId });
      return switched.length === 1;
    },
  };
}
