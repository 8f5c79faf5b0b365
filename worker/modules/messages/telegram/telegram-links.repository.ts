import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import type { CreateCallBody } from '#schema/contracts/calls.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import { recordEach, recordFacts } from '../../log/facts.repository.ts';
import { disconnectedChat, formerChat, noStartLink } from '../../people/ways/disconnected-chat.repository.ts';
import { wayMade, type MadeWay } from '../../people/ways/way-made.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { build, hasRow } from '../../../shared/sql.ts';
import type { EndParams } from '../../market/calls/calls.service.ts';

interface StartPress {
  readonly nonceHash: string;
  readonly chatId: string;
  readonly username: string | null;
  readonly now: number;
}

interface CallsSwitch {
  readonly userId: string;
  readonly canCall: boolean;
  readonly now: number;
}

/** The act that a card in the chat offers to a caller. */
export type Offer = { readonly open: CreateCallBody } | { readonly end: EndParams };

interface StoredOffer {
  readonly offer: Offer;
  readonly nonce: string;
  readonly expiresAt: number;
}

/** The X handle of a link's account, for use in RETURNING. */
const account = sql`(SELECT twitter_handle FROM users WHERE id = user_id)`.mapWith(users.twitterHandle);

/** Stores which chat belongs to which account. Times are unix ms. Only the hash of a link's nonce is stored. */
export function createTelegramLinksRepository(db: Database) {
  return { ...createLinks(db), ...createStarts(db), ...createOffers(db) };
}

function createLinks(db: Database) {
  return {
    /** Saves the nonce of a Start link, and a handle if there is one. A handle that differs from the saved one ends the connection. */
    async save(link: typeof telegramLinks.$inferInsert): Promise<void> {
      const { userId, handle = null, updatedAt: now } = link;
      const isOther = sql`${handle} IS NOT NULL AND ${telegramLinks.handle} IS NOT ${handle} COLLATE NOCASE`;
      const saved = { ...link, handle: sql`COALESCE(${handle}, ${telegramLinks.handle})` };
      await runBatch(db, [
        build
          .update(telegramLinks)
          .set(disconnectedChat(now))
          .where(and(eq(telegramLinks.userId, userId), isOther)),
        build
          .insert(telegramLinks)
          .values(link)
          .onConflictDoUpdate({ target: telegramLinks.userId, set: saved }),
      ]);
    },

    async disconnect(userId: string, now: number): Promise<void> {
      await db
        .update(telegramLinks)
        .set({ ...noStartLink, ...disconnectedChat(now) })
        .where(eq(telegramLinks.userId, userId));
    },

    /** The account of a private chat. `canCall`: its owner has switched on calls in the chat. */
    async findAccount(chatId: string) {
      const { userId, canCall } = telegramLinks;
      const isCaller = sql`EXISTS (SELECT 1 FROM callers WHERE caller_id = user_id)`.mapWith(Boolean);
      const [row] = await db
        .select({ userId, canCall, isCaller })
        .from(telegramLinks)
        .where(eq(telegramLinks.chatId, chatId));
      return row ?? null;
    },

    async findSettings({ chatId, now }: { chatId: string; now: number }) {
      const [row] = await db
        .select({
          account: users.twitterHandle,
          followedCallers: sql<number>`(
            SELECT count(DISTINCT caller_id) FROM periods
            WHERE subscriber_id = ${users.id} AND status = 'active' AND (ends_at IS NULL OR ends_at > ${now}))`,
          mutedCallers: sql<number>`(SELECT count(*) FROM notification_mutes WHERE user_id = ${users.id})`,
          kindsOff:
            sql`(SELECT json_group_array(kind) FROM notification_opt_outs WHERE user_id = ${users.id})`.mapWith(
              (kinds: JsonText<readonly NotificationKind[]>) => readJson(kinds),
            ),
        })
        .from(telegramLinks)
        .innerJoin(users, eq(users.id, telegramLinks.userId))
        .where(eq(telegramLinks.chatId, chatId));
      return row ?? null;
    },
  };
}

/** The bot's reads and changes of a chat's account. */
function createStarts(db: Database) {
  return {
    /**
     * Connects a chat, switches calls off and deletes the nonce, if the nonce is valid and the chat belongs to no other
     * account. Saves the chat's username. Returns the account, or null.
     */
    async bind({ nonceHash, chatId, username, now }: StartPress) {
      const isFree = sql`NOT EXISTS (
        SELECT 1 FROM telegram_links other
        WHERE other.chat_id = ${chatId} AND other.user_id <> telegram_links.user_id)`;
      const bind = build
        .update(telegramLinks)
        .set({
          ...formerChat(now),
          chatId,
          connectedAt: now,
          updatedAt: now,
          canCall: false,
          ...(username !== null && { handle: username }),
          sessionHash: telegramLinks.startSessionHash,
          startNonceHash: null,
          startSessionHash: null,
        })
        .where(and(hasNonce(nonceHash, now), isFree))
        .returning({ userId: telegramLinks.userId, account: account.as('account') });
      const made: MadeWay = 'telegram';
      const tell = recordEach(
        'way_made',
        sql`
          SELECT connected_at AS at, ${`${made}:`} || user_id || ':' || connected_at AS subject, user_id
          FROM telegram_links l
          WHERE chat_id = ${chatId} AND connected_at = ${now}
            AND (former_until > ${now} OR EXISTS (SELECT 1 FROM push_devices WHERE user_id = l.user_id))`,
      );
      const [[bound] = []] = await runBatch(db, [bind, tell]);
      return bound ? { userId: String(bound['user_id']), account: String(bound['account']) } : null;
    },

    /**
     * Disconnects a chat that was connected no later than `until`. The handle stays saved. Returns the account's X
     * handle, or null if nothing was connected.
     */
    async leave({ chatId, until }: { chatId: string; until: number }): Promise<string | null> {
      const [left] = await db
        .update(telegramLinks)
        .set({ chatId: null, connectedAt: null, updatedAt: until })
        .where(and(eq(telegramLinks.chatId, chatId), lte(telegramLinks.connectedAt, until)))
        .returning({ account });
      return left?.account ?? null;
    },

    async isValidNonce({ nonceHash, now }: Pick<StartPress, 'nonceHash' | 'now'>): Promise<boolean> {
      return (await db.$count(telegramLinks, hasNonce(nonceHash, now))) === 1;
    },
  };
}

function createOffers(db: Database) {
  return {
    /** Returns false if no chat is connected. */
    async switchCalls({ userId, canCall, now }: CallsSwitch): Promise<boolean> {
      const isOwn = and(eq(telegramLinks.userId, userId), isNotNull(telegramLinks.connectedAt));
      const notice = wayMade({ made: 'telegram_calls', userId, at: now });
      const [, switched] = await runBatch(db, [
        recordFacts(canCall ? [notice] : [], hasRow(telegramLinks, isOwn, eq(telegramLinks.canCall, false))),
        build
          .update(telegramLinks)
          .set({ canCall, offer: null })
          .where(isOwn)
          .returning({ userId: telegramLinks.userId }),
      ]);
      return switched?.length === 1;
    },

    async saveOffer({ userId, ...offer }: StoredOffer & { userId: string }): Promise<void> {
      await db
        .update(telegramLinks)
        .set({ offer: JSON.stringify(offer) })
        .where(eq(telegramLinks.userId, userId));
    },

    /**
     * Takes the offer of a pressed button, in one statement, so that it works once. Null if it was used, is too old or
     * was replaced, or if the caller has switched calls off.
     */
    async takeOffer({ chatId, nonce, now }: { chatId: string; nonce: string; now: number }) {
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
        .returning({
          userId,
          offer: sql`${offer} -> 'offer'`.mapWith((stored: JsonText<Offer>) => readJson(stored)),
        });
      return taken ?? null;
    },
  };
}

const hasNonce = (nonceHash: string, now: number) =>
  and(eq(telegramLinks.startNonceHash, nonceHash), gt(telegramLinks.startNonceExpiresAt, now));
