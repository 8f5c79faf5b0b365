import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { CreateCallBody } from '#schema/contracts/calls.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import type { Database } from '../../../shared/database.ts';
import type { EndParams } from '../../market/calls/calls.service.ts';

export type Offer = { readonly open: CreateCallBody } | { readonly end: EndParams };

interface StoredOffer {
  readonly offer: Offer;
  readonly nonce: string;
  readonly expiresAt: number;
}

export type CallerOffersRepository = ReturnType<typeof createCallerOffersRepository>;

export function createCallerOffersRepository(db: Database) {
  return {
    async switchCalls({ userId, canCall }: { userId: string; canCall: boolean }): Promise<boolean> {
      const switched = await db
        .update(telegramLinks)
        .set({ canCall, offer: null })
        .where(and(eq(telegramLinks.userId, userId), isNotNull(telegramLinks.connectedAt)))
        .returning({ userId: telegramLinks.userId });
      return switched.length === 1;
    },

    async save({ userId, ...offer }: StoredOffer & { userId: string }): Promise<void> {
      await db
        .update(telegramLinks)
        .set({ offer: JSON.stringify(offer) })
        .where(eq(telegramLinks.userId, userId));
    },

    /**
     * Takes the offer of a pressed button, in one statement, so that it works once. Null if it was used, is too old or
     * was replaced, or if the caller has switched calls off.
     */
    async take({ chatId, nonce, now }: { chatId: string; nonce: string; now: number }) {
      const { userId, offer } = telegramLinks;
      const [taken] = await db
        .update(telegramLinks)
        .set({ offer: sql`json_remove(${offer}, '$.nonce')` })
        .where(
          and(
            eq(telegramLinks.chatId, chatId),
            eq(telegramLinks.canCall, true),
            sql`${offer} ->> 'nonce' = ${nonce} AND ${offer} ->> 'expiresAt' > ${now}`,
          ),
        )
        .returning({ userId, offer });
      return taken
        ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `save` wrote it.
          { userId: taken.userId, offer: (JSON.parse(taken.offer ?? '') as StoredOffer).offer }
        : null;
    },
  };
}
