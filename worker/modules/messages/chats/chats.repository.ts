import { and, eq, sql, type SQL } from 'drizzle-orm';
import { CHAT_CHECK_MS } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { TelegramChatChange } from '#schema/contracts/telegram-chats.ts';
import type { ChatKind } from '#schema/rules/access/telegram-chats.ts';
import { callers } from '#schema/tables/callers.ts';
import { chatPosts, telegramChats } from '#schema/tables/telegram-chats.ts';
import { users } from '#schema/tables/users.ts';
import { wayMade } from '../../people/ways/way-made.ts';
import { callerStanding } from '../../money/callers/caller-standing.ts';
import { recordFacts, type NewFact } from '../../log/facts.repository.ts';
import type { Topic } from '../../../adapters/telegram-bot.ts';
import { is } from '../../../shared/sql.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

const columns = selection(
  columnsOf(telegramChats, 'c'),
  columnsOf(callers, 'p', ['feeLamports', 'chargesSince']),
  columnsOf(users, 'u', ['twitterHandle']),
  callerStanding,
  computed<{ otherChatId: string | null }>({
    otherChatId: `(SELECT o.chat_id FROM telegram_chats o
      WHERE o.caller_id = c.caller_id AND o.kind <> c.kind)`,
  }),
);

export type ChatRow = SelectedRow<typeof columns>;

export interface NewChat {
  readonly chatId: string;
  readonly callerId: string;
  /** The private chat in which the caller has chosen this one. */
  readonly personId: string;
  readonly kind: ChatKind;
  readonly title: string;
  /** The owner of a chat may take it over from another caller. */
  readonly isOwner: boolean;
  /** Left out: the topic stays as it is. */
  readonly topic?: Topic | null | undefined;
  readonly now: number;
}

/** A topic's problem that Telegram's response to a message showed, or null if the topic was reopened. */
interface TopicChange extends Pick<ChatRow, 'chatId' | 'topicId' | 'topicProblem'> {}

interface RightsChange extends Pick<ChatRow, 'chatId'> {
  readonly isAdmin: boolean;
  readonly at: number;
}

type ChatCheck = Pick<NewChat, 'chatId' | 'now'> &
  Partial<Pick<ChatRow, 'title' | 'problem' | 'linkedChatId' | 'members' | 'joinLink' | 'linkCheckedAt'>>;

type ChatChange = Pick<NewChat, 'chatId' | 'callerId' | 'now'> & Omit<TelegramChatChange, 'newLink'>;

const listChats = (db: Database) => (where: SQL) =>
  selectRows(
    db,
    columns,
    sql`
      SELECT ${columns.list}
      FROM telegram_chats c
      JOIN callers p ON p.caller_id = c.caller_id
      JOIN users u ON u.id = c.caller_id
      WHERE ${where}`,
  );

export function createChatsRepository(db: Database) {
  const list = listChats(db);
  const find = async (chatId: string): Promise<ChatRow | null> =>
    (await list(sql`c.chat_id = ${chatId}`))[0] ?? null;
  return {
    find,

    /** Finds a chat by its id, or by the one that it had before it became a supergroup. */
    async findEarlier(chatId: string): Promise<ChatRow | null> {
      return (await find(chatId)) ?? (await list(sql`c.migrated_from = ${chatId}`))[0] ?? null;
    },

    findOfCaller: (callerId: string): Promise<ChatRow[]> =>
      list(sql`c.caller_id = ${callerId} ORDER BY c.kind`),

    listDue: ({ now, limit }: { now: number; limit: number }): Promise<ChatRow[]> =>
      list(sql`c.checked_at <= ${now - CHAT_CHECK_MS} ORDER BY c.checked_at, c.chat_id LIMIT ${limit}`),

    /**
     * Connects a chat. A Paid caller's chat is for subscribers only from now on. Returns false, without any change, if
     * the private chat isn't the caller's anymore, if the person is no caller or has connected another chat of this
     * kind, or if the chat belongs to another caller. The owner of the chat takes it over from them. The caller is told
     * of a new chat.
     */
    async connect(chat: NewChat): Promise<boolean> {
      const { callerId, now } = chat;
      const isNew = sql`EXISTS (SELECT 1 FROM telegram_chats
        WHERE chat_id = ${chat.chatId} AND caller_id = ${callerId} AND connected_at = ${now})`;
      const notice = wayMade({ made: 'chat', userId: callerId, at: now });
      const [, , rows = []] = await runBatch(db, [...connectStatements(chat), recordFacts([notice], isNew)]);
      return rows.length === 1;
    },

    /** Without facts, stores only the time of a failed check. `told`: what the caller must be told. */
    async saveCheck({ chatId, now, ...found }: ChatCheck, told: readonly NewFact[] = []): Promise<void> {
      const save = db
        .update(telegramChats)
        .set({ ...found, checkedAt: now })
        .where(eq(telegramChats.chatId, chatId));
      await runBatch(db, [save, ...(told.length === 0 ? [] : [recordFacts(told, sql`true`)])]);
    },

    /**
     * With its rights again, the bot repeats checks of members that failed. Without, it isn't told who leaves, so members get
     * private messages until Telegram says that they are there. `at`: by Telegram's clock, in whole seconds.
     */
    async noteRights({ chatId, isAdmin, at }: RightsChange): Promise<void> {
      const change = isAdmin
        ? { recheckAfter: '' }
        : { doubtedBefore: sql`max(doubted_before, ${at + SECOND_MS})` };
      await db.update(telegramChats).set(change).where(eq(telegramChats.chatId, chatId));
    },

    async changeTopic({ chatId, topicId, topicProblem }: TopicChange): Promise<void> {
      await db
        .update(telegramChats)
        .set({ topicProblem })
        .where(and(eq(telegramChats.chatId, chatId), is(telegramChats.topicId, topicId)));
    },

    /**
     * Returns false if the caller has no such chat. A repeated confirmation changes nothing; otherwise people who
     * joined since then would count as earlier members.
     */
    async change({ chatId, callerId, now, confirmsPaid, ...switches }: ChatChange): Promise<boolean> {
      const confirmed = sql<number>`iif(
        paid_since >= (SELECT charges_since FROM callers WHERE caller_id = ${callerId}), paid_since, ${now})`;
      const paidSince = confirmsPaid ? { paidSince: confirmed } : {};
      const rows = await db
        .update(telegramChats)
        .set({ ...switches, ...paidSince, callerId })
        .where(and(eq(telegramChats.chatId, chatId), eq(telegramChats.callerId, callerId)))
        .returning({ chatId: telegramChats.chatId });
      return rows.length === 1;
    },

    async remove({ chatId, callerId }: Pick<NewChat, 'chatId' | 'callerId'>): Promise<boolean> {
      const isOwn = sql`chat_id = ${chatId} AND EXISTS (
        SELECT 1 FROM telegram_chats c WHERE c.chat_id = ${chatId} AND c.caller_id = ${callerId})`;
      const [, removed = []] = await runBatch(db, [
        sql`DELETE FROM chat_posts WHERE ${isOwn}`,
        sql`DELETE FROM telegram_chats WHERE ${isOwn} RETURNING chat_id`,
      ]);
      return removed.length === 1;
    },

    /** Replaces the id of a group that became a supergroup. Its members follow. Foreign groups change nothing. */
    async migrate({ from, to }: { from: string; to: string }): Promise<void> {
      await runBatch(db, [
        sql`UPDATE OR IGNORE telegram_chats SET chat_id = ${to}, migrated_from = ${from}, checked_at = 0 WHERE chat_id = ${from}`,
        db.update(chatPosts).set({ chatId: to }).where(eq(chatPosts.chatId, from)),
      ]);
    },
  };
}

function connectStatements({ chatId, callerId, personId, kind, title, isOwner, topic, now }: NewChat): SQL[] {
  const hasNoOther = sql`NOT EXISTS (
    SELECT 1 FROM telegram_chats WHERE caller_id = ${callerId} AND kind = ${kind} AND chat_id <> ${chatId})`;
  const isTakenOver = sql`${Number(isOwner)} AND chat_id = ${chatId} AND ${hasNoOther}
    AND EXISTS (
      SELECT 1 FROM callers p JOIN telegram_links l ON l.user_id = p.caller_id
      WHERE p.caller_id = ${callerId} AND l.chat_id = ${personId})
    AND EXISTS (SELECT 1 FROM telegram_chats WHERE chat_id = ${chatId} AND caller_id <> ${callerId})`;
  return [
    sql`DELETE FROM chat_posts WHERE ${isTakenOver}`,
    sql`DELETE FROM telegram_chats WHERE ${isTakenOver}`,
    sql`
      INSERT INTO telegram_chats (chat_id, caller_id, kind, title, topic_id, topic_name, paid_since, checked_at,
        connected_at, session_hash)
      SELECT ${chatId}, p.caller_id, ${kind}, ${title}, ${topic?.id ?? null}, ${topic?.name ?? null},
        iif(p.fee_lamports = 0, NULL, ${now}), ${now}, ${now}, l.session_hash
      FROM callers p JOIN telegram_links l ON l.user_id = p.caller_id
      WHERE p.caller_id = ${callerId} AND l.chat_id = ${personId} AND ${hasNoOther}
      ON CONFLICT (chat_id) DO UPDATE SET
        title = excluded.title, topic_problem = NULL,
        ${topic === undefined ? sql`` : sql`topic_id = excluded.topic_id, topic_name = excluded.topic_name,`}
        paid_since = COALESCE(paid_since, excluded.paid_since)
      WHERE caller_id = excluded.caller_id
      RETURNING chat_id`,
  ];
}
