import { sql, type SQL } from 'drizzle-orm';
import { graceEnd } from '#schema/rules/access/chat-members.ts';
import type { Period } from '#schema/rules/access/subscription.ts';
import { callers } from '#schema/tables/callers.ts';
import { chatMembers, telegramChats } from '#schema/tables/telegram-chats.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import type { ChatPerson } from '../../../ports/chat-updates.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import {
  columnsOf,
  computed,
  optional,
  selection,
  selectRows,
  type SelectedRow,
} from '../../../shared/rows.ts';
import { is } from '../../../shared/sql.ts';

const memberColumns = (now: number) =>
  selection(
    columnsOf(chatMembers, 'm', {
      chatId: 'chat_id',
      personId: 'person_id',
      status: 'status',
      isByUs: 'is_by_us',
      since: 'since',
      checkAt: 'check_at',
    }),
    columnsOf(telegramChats, 'c', {
      callerId: 'caller_id',
      title: 'title',
      isConnected: 'is_connected',
      problem: 'problem',
      joinLink: 'join_link',
      paidSince: 'paid_since',
      removesOthers: 'removes_others',
      recheckAt: 'recheck_at',
    }),
    columnsOf(callers, 'p', {
      feeLamports: 'fee_lamports',
      chargesSince: 'charges_since',
      isSuspended: 'is_suspended',
      isHidden: 'is_hidden',
    }),
    columnsOf(users, 'u', { handle: 'twitter_handle' }),
    optional(columnsOf(telegramLinks, 'l', { userId: 'user_id' })),
    computed<{ periods: string }>({
      periods: sql`(
        SELECT json_group_array(json_object('startsAt', starts_at, 'endsAt', ends_at)) FROM periods
        WHERE subscriber_id = l.user_id AND caller_id = c.caller_id AND (ends_at IS NULL OR ends_at > ${now}))`,
    }),
  );

/** A person in a chat or who asks to join, with the chat, its caller's terms and the person's running periods. */
export type MemberRow = Omit<SelectedRow<ReturnType<typeof memberColumns>>, 'periods'> & {
  readonly periods: readonly Period[];
};

/** A connected chat whose members are due. */
const recheckColumns = columnsOf(telegramChats, 'c', {
  chatId: 'chat_id',
  isConnected: 'is_connected',
  joinLink: 'join_link',
  paidSince: 'paid_since',
  recheckAt: 'recheck_at',
  recheckAfter: 'recheck_after',
});
type Recheck = SelectedRow<typeof recheckColumns>;

const otherColumns = columnsOf(chatMembers, 'm', {
  personId: 'person_id',
  name: 'name',
  status: 'status',
  since: 'since',
});

const linkColumns = columnsOf(telegramChats, 'c', { kind: 'kind', title: 'title', url: 'join_link' });

interface OthersQuery {
  readonly chatId: string;
  readonly callerId: string;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

/** The state of a member after a check. `fate`: null for a person who isn't in the chat and doesn't ask. */
export interface Outcome {
  readonly row: MemberRow;
  readonly fate: Pick<MemberRow, 'status' | 'isByUs' | 'checkAt'> | null;
}

interface DueQuery {
  readonly now: number;
  readonly limit: number;
}

interface MemberChange {
  readonly chatId: string;
  readonly person: ChatPerson;
  readonly at: number;
}

/** The next negative number, which means at once. Triggers write the same. */
const atOnce = (column: SQL) => sql`MIN(0, COALESCE(${column}, 0)) - 1`;
const checkAtOnce = atOnce(sql`check_at`);
const isRow = ({ chatId, personId }: Pick<MemberRow, 'chatId' | 'personId'>) =>
  sql`chat_id = ${chatId} AND person_id = ${personId}`;
const isSeen = ({ checkAt }: MemberRow) => is(chatMembers.checkAt, checkAt);

export type AccessRepository = ReturnType<typeof createAccessRepository>;

/** Stores who is in callers' chats and who asks to join. Times are unix ms. */
export function createAccessRepository(db: Database) {
  return { ...createReads(db), ...createLists(db), ...createOutcomes(db), ...createNotes(db) };
}

function createReads(db: Database) {
  const list = async (now: number, rest: SQL): Promise<MemberRow[]> => {
    const columns = memberColumns(now);
    // CROSS JOIN keeps the order, so that the members' index decides which rows are read.
    const query = sql`
      SELECT ${columns.list}
      FROM chat_members m
      CROSS JOIN telegram_chats c ON c.chat_id = m.chat_id
      CROSS JOIN callers p ON p.caller_id = c.caller_id
      CROSS JOIN users u ON u.id = c.caller_id
      LEFT JOIN telegram_links l ON l.chat_id = m.person_id
      WHERE ${rest}`;
    const rows = await selectRows(db, columns, query);
    return rows.map(({ periods, ...row }) => ({ ...row, periods: JSON.parse(periods) as Period[] }));
  };

  return {
    listDue: ({ now, limit }: DueQuery) =>
      list(now, sql`m.check_at <= ${now} ORDER BY m.check_at LIMIT ${limit}`),

    listDueOfUser: ({ userId, now, limit }: DueQuery & { userId: string }) =>
      list(
        now,
        sql`m.person_id = (SELECT chat_id FROM telegram_links WHERE user_id = ${userId})
          AND m.check_at <= ${now} LIMIT ${limit}`,
      ),

    listOfChat: ({ now, chatId, after, limit }: DueQuery & { chatId: string; after: string }) =>
      list(now, sql`m.chat_id = ${chatId} AND m.person_id > ${after} ORDER BY m.person_id LIMIT ${limit}`),

    async findMember({ now, ...row }: { now: number; chatId: string; personId: string }) {
      const [found = null] = await list(
        now,
        sql`m.chat_id = ${row.chatId} AND m.person_id = ${row.personId}`,
      );
      return found;
    },

    /** The chat whose members have been due for the longest time. */
    async nextRecheck(now: number): Promise<Recheck | null> {
      const query = sql`
        SELECT ${recheckColumns.list} FROM telegram_chats c
        WHERE recheck_at <= ${now} ORDER BY recheck_at LIMIT 1`;
      return (await selectRows(db, recheckColumns, query))[0] ?? null;
    },
  };
}

/** Lists for people with access, and for callers. */
function createLists(db: Database) {
  return {
    /** The links by which people ask to join a caller's chats. */
    listJoinLinks(callerId: string) {
      const query = sql`
        SELECT ${linkColumns.list} FROM telegram_chats c
        WHERE caller_id = ${callerId} AND is_connected = 1 AND join_link IS NOT NULL ORDER BY kind`;
      return selectRows(db, linkColumns, query);
    },

    /** People in a caller's chat who came without us and have no access, newest first. */
    listOthers({ chatId, callerId, ...page }: OthersQuery) {
      const select = sql`
        SELECT ${otherColumns.list} FROM chat_members m
        WHERE m.chat_id IN (SELECT chat_id FROM telegram_chats WHERE chat_id = ${chatId} AND caller_id = ${callerId})
          AND m.is_by_us = 0 AND m.status <> 'asking'`;
      const query = keysetPage({ select, value: 'm.since', id: 'm.person_id', order: 'desc', ...page });
      return selectRows(db, otherColumns, query);
    },
  };
}

function createOutcomes(db: Database) {
  return {
    /**
     * Continues after `personId` in a later round; null at the end of the chat. Does nothing if the chat has changed
     * since it was read.
     */
    async advance(
      { chatId, recheckAt, recheckAfter, paidSince }: Recheck,
      personId: string | null,
      now: number,
    ) {
      const end = paidSince === null || graceEnd(paidSince) <= now ? null : graceEnd(paidSince);
      await db.run(sql`
        UPDATE telegram_chats SET recheck_at = ${personId === null ? end : now}, recheck_after = ${personId ?? ''}
        WHERE chat_id = ${chatId} AND recheck_at IS ${recheckAt} AND recheck_after = ${recheckAfter}`);
    },

    async saveJoinLink({ chatId, url }: { chatId: string; url: string }): Promise<void> {
      await db.run(sql`UPDATE telegram_chats SET join_link = ${url} WHERE chat_id = ${chatId}`);
    },

    /** Stores outcomes, and checks the chats of `retries` again at these times. A row that has changed meanwhile stays due. */
    async store(outcomes: readonly Outcome[], retries: ReadonlyMap<MemberRow, number>): Promise<void> {
      const statements = outcomes.map(({ row, fate }): Statement => {
        if (fate === null) return sql`DELETE FROM chat_members WHERE ${isRow(row)} AND ${isSeen(row)}`;
        const { status, isByUs, checkAt } = fate;
        if (status === row.status) {
          return sql`
            UPDATE chat_members SET is_by_us = ${Number(isByUs)}, check_at = ${checkAt}
            WHERE ${isRow(row)} AND ${isSeen(row)}`;
        }
        // Telegram's own update about this may have come first.
        return sql`
          UPDATE chat_members SET
            status = ${status}, is_by_us = ${Number(isByUs)}, check_at = iif(${isSeen(row)}, ${checkAt}, check_at)
          WHERE ${isRow(row)}`;
      });
      const postponed = [...retries].map(
        ([{ chatId, recheckAt: seen }, at]) => sql`
          UPDATE telegram_chats SET
            recheck_at = iif(recheck_at IS ${seen} OR recheck_at > ${at} OR recheck_at IS NULL, ${at}, recheck_at),
            recheck_after = ''
          WHERE chat_id = ${chatId}`,
      );
      if (statements.length + postponed.length > 0) await runBatch(db, [...statements, ...postponed]);
    },

    /** Checks all members of a chat again. */
    async recheck(chatId: string): Promise<void> {
      await db.run(sql`
        UPDATE telegram_chats SET recheck_at = ${atOnce(sql`recheck_at`)}, recheck_after = ''
        WHERE chat_id = ${chatId} AND is_connected = 1`);
    },
  };
}

/** Inserts or updates a row unless a later update was read before. */
const upsert = ({ chatId, person, at, status, set }: MemberChange & { status: string; set: SQL }) => sql`
  INSERT INTO chat_members (chat_id, person_id, name, status, since, check_at)
  SELECT chat_id, ${person.id}, ${person.name}, ${status}, ${at}, -1
  FROM telegram_chats WHERE chat_id = ${chatId} AND is_connected = 1
  ON CONFLICT (chat_id, person_id) DO UPDATE SET
    name = excluded.name, status = excluded.status, check_at = ${checkAtOnce}, ${set}`;

/** Stores Telegram's updates about people. */
function createNotes(db: Database) {
  return {
    /** A person is in a chat. `isNew`: they have just joined. */
    async noteMember({ isNew, ...member }: MemberChange & { status: 'in' | 'admin'; isNew: boolean }) {
      const since = isNew ? sql`since = excluded.since` : sql`since = since`;
      await db.run(sql`${upsert({ ...member, set: since })} WHERE excluded.since >= since`);
    },

    async noteLeft({ chatId, person, at }: MemberChange): Promise<void> {
      await db.run(sql`
        DELETE FROM chat_members
        WHERE chat_id = ${chatId} AND person_id = ${person.id} AND since <= ${at} AND status <> 'asking'`);
    },

    /** Returns false for an update that was read before, and in a chat that isn't connected. */
    async noteRequest(request: MemberChange): Promise<boolean> {
      // A repeated update about an approved request finds no request anymore, so it changes nothing in the end.
      const set = sql`
        is_by_us = iif(excluded.since > since, 0, is_by_us), since = excluded.since`;
      const rows = await db.all(sql`
        ${upsert({ ...request, status: 'asking', set })}
        WHERE excluded.since >= since
        RETURNING chat_id`);
      return rows.length > 0;
    },
  };
}
