import { sql } from 'drizzle-orm';
import { JOIN_REQUEST_MS } from '#schema/constants.ts';
import { chatMembers, telegramChats } from '#schema/tables/telegram-chats.ts';
import { users } from '#schema/tables/users.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { columnsOf, computed, selection, selectRows } from '../../../shared/rows.ts';

const otherColumns = columnsOf(chatMembers, 'm', {
  personId: 'person_id',
  name: 'name',
  status: 'status',
  since: 'since',
});

const inviteColumns = selection(
  columnsOf(chatMembers, 'm', { personId: 'person_id', name: 'name' }),
  columnsOf(telegramChats, 'c', { callerId: 'caller_id', title: 'title', kind: 'kind' }),
  columnsOf(users, 'u', { handle: 'twitter_handle' }),
  computed<{ currentId: string | null; ownerId: string | null }>({
    currentId: '(SELECT chat_id FROM telegram_links WHERE user_id = v.user_id)',
    ownerId: '(SELECT user_id FROM telegram_links WHERE chat_id = m.person_id)',
  }),
);

const linkColumns = columnsOf(telegramChats, 'c', { kind: 'kind', title: 'title', url: 'join_link' });

interface Invitee {
  readonly nonceHash: string;
  readonly userId: string;
  readonly now: number;
}

interface OthersQuery {
  readonly chatId: string;
  readonly callerId: string;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export type InvitationsRepository = ReturnType<typeof createInvitationsRepository>;

/** Stores invitations to connect a Telegram account, and lists who joined. Times are unix ms. */
export function createInvitationsRepository(db: Database) {
  return {
    async saveNonce(request: { nonceHash: string; chatId: string; personId: string }): Promise<void> {
      const { nonceHash, chatId, personId } = request;
      await db.run(sql`
        UPDATE chat_members SET join_nonce_hash = ${nonceHash}
        WHERE chat_id = ${chatId} AND person_id = ${personId} AND status = 'asking'`);
    },

    /**
     * What an invitation connects. `currentId`: the Telegram account that the user has connected. `ownerId`: the account
     * on the site that has connected the invited person's Telegram account.
     */
    async findInvitation({ nonceHash, userId, now }: Invitee) {
      const query = sql`
        SELECT ${inviteColumns.list}
        FROM chat_members m
        CROSS JOIN telegram_chats c ON c.chat_id = m.chat_id
        CROSS JOIN users u ON u.id = c.caller_id
        CROSS JOIN (SELECT ${userId} AS user_id) v
        WHERE m.join_nonce_hash = ${nonceHash} AND m.since > ${now - JOIN_REQUEST_MS}`;
      return (await selectRows(db, inviteColumns, query))[0] ?? null;
    },

    /** Connects the invited person's Telegram account, and ends the invitation. Does nothing if another account has it. */
    async connect({ nonceHash, userId, now }: Invitee): Promise<void> {
      const isOwn = sql`EXISTS (
        SELECT 1 FROM telegram_links l WHERE l.user_id = ${userId} AND l.chat_id = chat_members.person_id)`;
      const kept = (column: string) => sql.raw(`iif(chat_id IS excluded.chat_id, ${column}, NULL)`);
      await runBatch(db, [
        sql`
          INSERT INTO telegram_links (user_id, chat_id, updated_at)
          SELECT ${userId}, person_id, ${now} FROM chat_members m
          WHERE join_nonce_hash = ${nonceHash} AND since > ${now - JOIN_REQUEST_MS} AND NOT EXISTS (
            SELECT 1 FROM telegram_links l WHERE l.chat_id = m.person_id AND l.user_id <> ${userId})
          ON CONFLICT (user_id) DO UPDATE SET
            chat_id = excluded.chat_id, updated_at = excluded.updated_at, start_nonce_hash = NULL,
            handle = ${kept('handle')}, connected_at = ${kept('connected_at')}, offer = ${kept('offer')},
            can_call = can_call AND chat_id IS excluded.chat_id`,
        sql`UPDATE chat_members SET join_nonce_hash = NULL WHERE join_nonce_hash = ${nonceHash} AND ${isOwn}`,
      ]);
    },

    /** The links by which people ask to join a caller's chats. */
    async listJoinLinks(callerId: string) {
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
