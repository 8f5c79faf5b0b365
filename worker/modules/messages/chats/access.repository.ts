import { sql, type SQL } from 'drizzle-orm';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { Period } from '#schema/rules/access/subscription.ts';
import { callers } from '#schema/tables/callers.ts';
import { chatMembers, telegramChats } from '#schema/tables/telegram-chats.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetQuery } from '../../../shared/keyset.ts';
import { recordEach } from '../../log/facts.repository.ts';
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
    columnsOf(chatMembers, 'm', [
      'chatId',
      'personId',
      'name',
      'contactId',
      'status',
      'isByUs',
      'since',
      'checkAt',
    ]),
    columnsOf(telegramChats, 'c', ['callerId', 'title', 'joinLink', 'paidSince', 'removesOthers']),
    columnsOf(callers, 'p', ['feeLamports', 'chargesSince', 'isSuspended', 'isHidden']),
    optional(columnsOf(telegramLinks, 'l', ['userId'])),
    computed<{ handle: string; periods: JsonText<readonly Period[]> }>({
      handle: 'u.twitter_handle',
      periods: sql`(
        SELECT json_group_array(json_object('startsAt', starts_at, 'endsAt', ends_at)) FROM periods
        WHERE subscriber_id = l.user_id AND caller_id = c.caller_id AND (ends_at IS NULL OR ends_at > ${now}))`,
    }),
  );

export type MemberRow = Omit<SelectedRow<ReturnType<typeof memberColumns>>, 'periods'> & {
  readonly periods: readonly Period[];
};

const otherColumns = columnsOf(chatMembers, 'm', ['personId', 'name', 'status', 'since']);

const linkColumns = columnsOf(telegramChats, 'c', ['kind', 'title', 'joinLink']);

interface OthersQuery extends Pick<KeysetQuery, 'cursor' | 'limit'> {
  readonly chatId: string;
  readonly callerId: string;
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

export interface MemberChange {
  readonly chatId: string;
  readonly person: { readonly id: string; readonly name: string };
  /** The chat in which the bot may write to a person who asks. */
  readonly contactId?: string | undefined;
  /** Unix ms, but in whole seconds of Telegram's clock. An update may arrive late, and twice. */
  readonly at: number;
}

const isRow = ({ chatId, personId }: Pick<MemberRow, 'chatId' | 'personId'>) =>
  sql`chat_id = ${chatId} AND person_id = ${personId}`;

/** `check_at` of people who are due at once. Triggers also write it. */
const DUE = 1;
/** `check_at` of the people of a whole chat, who come after all others, and after those of earlier changes. */
const dueLast = (now: number): number => now - Number.MAX_SAFE_INTEGER;
/** Greater than every id. */
const LAST_ID = '~';

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
    return rows.map(({ periods, ...row }) => ({ ...row, periods: readJson(periods) }));
  };

  /**
   * Takes people who are due, and makes them due again in a minute, or in an hour in a chat with a problem. So a check that
   * fails is repeated. A change meanwhile writes another time, which tells `store` that the check read older facts.
   */
  const claim = async ({ now, limit }: DueQuery, who: SQL): Promise<MemberRow[]> => {
    const [soon, later] = [now + MINUTE_MS, now + HOUR_MS];
    const dueFirst = (isDue: SQL) => sql`
      SELECT rowid FROM (SELECT rowid FROM chat_members WHERE ${isDue} AND ${who} ORDER BY check_at LIMIT ${limit})`;
    await db.run(sql`
      UPDATE chat_members SET check_at = iif(
        (SELECT problem FROM telegram_chats c WHERE c.chat_id = chat_members.chat_id) IS NULL, ${soon}, ${later})
      WHERE rowid IN (
        ${dueFirst(sql`check_at BETWEEN ${DUE} AND ${now}`)} UNION ALL ${dueFirst(sql`check_at < ${DUE}`)}
        LIMIT ${limit})`);
    return list(now, sql`m.check_at IN (${soon}, ${later}) AND ${who}`);
  };

  return {
    claimDue: (query: DueQuery) => claim(query, sql`TRUE`),

    claimOfUser: ({ userId, ...query }: DueQuery & { userId: string }) =>
      claim(query, sql`person_id = (SELECT chat_id FROM telegram_links WHERE user_id = ${userId})`),

    /**
     * Makes the next members of a chat due whose rules or bot's rights have changed: those who ask to join a Free caller's, and
     * those in a Paid one's who have no time for a check, or one after a failure. Returns the number that was read, or null if
     * no chat waits.
     */
    async makeNextDue({ now, limit }: DueQuery): Promise<number | null> {
      const [slice] = await db.all<{
        chatId: string;
        after: string;
        read: JsonText<[number, string | null]>;
      }>(sql`
        SELECT chat_id AS chatId, recheck_after AS after, (
          SELECT json_array(COUNT(*), MAX(person_id)) FROM (
            SELECT person_id FROM chat_members m
            WHERE m.chat_id = c.chat_id AND person_id > recheck_after
            ORDER BY person_id LIMIT ${limit})) AS read
        FROM telegram_chats c INDEXED BY telegram_chats_recheck
        WHERE recheck_after IS NOT NULL ORDER BY rechecked_at, chat_id LIMIT 1`);
      if (!slice) return null;
      const { chatId, after } = slice;
      const [size, last] = readJson(slice.read);
      const until = size < limit ? null : last;
      const isFree = sql`(
        SELECT fee_lamports = 0 FROM callers WHERE caller_id = (
          SELECT caller_id FROM telegram_chats WHERE chat_id = ${chatId}))`;
      await runBatch(db, [
        sql`
          UPDATE chat_members SET check_at = ${dueLast(now)}
          WHERE chat_id = ${chatId} AND person_id > ${after} AND person_id <= ${until ?? LAST_ID}
            AND iif(${isFree}, status = 'asking', check_at IS NULL OR check_at BETWEEN ${now} AND ${now + HOUR_MS})`,
        sql`
          UPDATE telegram_chats SET recheck_after = ${until}, rechecked_at = ${now}
          WHERE chat_id = ${chatId} AND recheck_after = ${after}`,
      ]);
      return size;
    },

    async findMember({ now, ...row }: { now: number; chatId: string; personId: string }) {
      const [found = null] = await list(
        now,
        sql`m.chat_id = ${row.chatId} AND m.person_id = ${row.personId}`,
      );
      return found;
    },
  };
}

function createLists(db: Database) {
  return {
    listJoinLinks(callerId: string) {
      const query = sql`
        SELECT ${linkColumns.list} FROM telegram_chats c
        WHERE caller_id = ${callerId} AND join_link IS NOT NULL ORDER BY kind`;
      return selectRows(db, linkColumns, query);
    },

    async listCallersWithLinks({ userId, now, limit }: DueQuery & { userId: string }): Promise<string[]> {
      const rows = await db.all<{ callerId: string }>(sql`
        SELECT DISTINCT s.caller_id AS callerId
        FROM periods s
        JOIN telegram_chats c ON c.caller_id = s.caller_id
        WHERE s.subscriber_id = ${userId} AND s.status = 'active' AND (s.ends_at IS NULL OR s.ends_at > ${now})
          AND c.join_link IS NOT NULL
        LIMIT ${limit}`);
      return rows.map(({ callerId }) => callerId);
    },

    listOthers({ chatId, callerId, ...page }: OthersQuery) {
      const select = sql`
        SELECT ${otherColumns.list} FROM chat_members m
        WHERE m.chat_id = (SELECT chat_id FROM telegram_chats WHERE chat_id = ${chatId} AND caller_id = ${callerId})
          AND m.is_by_us = 0 AND m.status <> 'asking'`;
      const query = keysetPage({ select, value: 'm.since', id: 'm.person_id', order: 'desc', ...page });
      return selectRows(db, otherColumns, query);
    },
  };
}

function createOutcomes(db: Database) {
  return {
    /** Stores decisions. If a row has changed since it was read, stores only what has happened in the chat. */
    async store(outcomes: readonly Outcome[]): Promise<void> {
      const statements = outcomes.map(({ row, fate }): Statement => {
        const isSeen = is(chatMembers.checkAt, row.checkAt);
        if (fate === null) return sql`DELETE FROM chat_members WHERE ${isRow(row)} AND ${isSeen}`;
        const { status, isByUs, checkAt } = fate;
        return sql`
          UPDATE chat_members SET
            status = ${status}, is_by_us = ${Number(isByUs)}, check_at = iif(${isSeen}, ${checkAt}, check_at)
          WHERE ${isRow(row)} AND (${isSeen} OR ${Number(status !== row.status)})`;
      });
      if (statements.length > 0) await runBatch(db, statements);
    },
  };
}

interface Upsert extends MemberChange {
  readonly status: MemberRow['status'];
  readonly checkAt: number;
  readonly set: SQL;
}

/** Inserts or updates a row unless a later update was read before. */
const upsert = ({ chatId, person, contactId, at, status, checkAt, set }: Upsert) => sql`
  INSERT INTO chat_members (chat_id, person_id, name, contact_id, status, since, seen_at, check_at)
  SELECT chat_id, ${person.id}, ${person.name}, ${contactId ?? null}, ${status}, ${at}, ${at}, ${checkAt}
  FROM telegram_chats WHERE chat_id = ${chatId}
  ON CONFLICT (chat_id, person_id) DO UPDATE SET
    name = excluded.name, contact_id = excluded.contact_id, status = excluded.status, check_at = excluded.check_at,
    seen_at = max(seen_at, excluded.seen_at), ${set}`;

function createNotes(db: Database) {
  return {
    async noteMember({ isNew, ...member }: MemberChange & { status: 'in' | 'admin'; isNew: boolean }) {
      const since = isNew ? sql`since = excluded.since` : sql`since = since`;
      await db.run(sql`${upsert({ ...member, checkAt: DUE, set: since })} WHERE excluded.since >= since`);
    },

    /** `isRemoved`: the bot has removed the person, who is told of it. */
    async noteLeft({ chatId, person, at, isRemoved }: MemberChange & { isRemoved: boolean }): Promise<void> {
      const removed = sql`
        SELECT ${at} AS at, concat(${chatId}, ':', user_id, ':', ${at}) AS subject, user_id
        FROM telegram_links WHERE chat_id = ${person.id} AND ${Number(isRemoved)}`;
      await runBatch(db, [
        recordEach('chat_removed', removed),
        sql`
          DELETE FROM chat_members
          WHERE chat_id = ${chatId} AND person_id = ${person.id} AND since <= ${at} AND status <> 'asking'`,
      ]);
    },

    /** Also claims the person. Returns false for an update that was read before, and in a chat that isn't connected. */
    async noteRequest({ now, ...request }: MemberChange & { now: number }): Promise<boolean> {
      // A repeated update about an approved request finds no request anymore, so it changes nothing in the end.
      const set = sql`
        is_by_us = iif(excluded.since > since, 0, is_by_us), since = excluded.since`;
      const rows = await db.all(sql`
        ${upsert({ ...request, status: 'asking', checkAt: now + MINUTE_MS, set })}
        WHERE excluded.since >= since
        RETURNING chat_id`);
      return rows.length > 0;
    },
  };
}
