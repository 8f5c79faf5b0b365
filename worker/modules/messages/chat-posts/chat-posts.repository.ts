import { and, eq, sql } from 'drizzle-orm';
import { calls } from '#schema/tables/calls.ts';
import { chatPosts } from '#schema/tables/telegram-chats.ts';
import { messageColumns } from '../../market/calls/call-columns.ts';
import { readEventId } from '../facts/repeated-events.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { shownTextOfCall } from '../../log/hidden-texts.repository.ts';
import {
  columnsOf,
  computed,
  selection,
  selectRow,
  selectRows,
  type SelectedRow,
} from '../../../shared/rows.ts';
import type { RecipientsQuery } from '../delivery/prepare-batch.ts';

const hitAt = (level: 'target' | 'stop') =>
  `(SELECT at FROM call_events WHERE id = 'level_hit:' || k.id || ':${level}')`;

const callColumns = selection(
  columnsOf(calls, 'k', ['entrySafety']),
  messageColumns,
  computed<
    Record<'targetHitAt' | 'stopHitAt' | 'messageId', number | null> & {
      isGone: 0 | 1;
      copiedTo: string | null;
    }
  >({
    targetHitAt: hitAt('target'),
    stopHitAt: hitAt('stop'),
    messageId: 'p.message_id',
    copiedTo: 'p.copied_to',
    isGone: 'p.call_id IS NOT NULL AND p.message_id IS NULL',
  }),
  callerSummary,
);

const updateColumns = computed<{ at: number; message: string | null }>({
  at: 'n.created_at',
  message: shownTextOfCall({ kind: 'update', id: 'n.id', text: 'n.message' }),
});

/** A call, and its message in one chat. `isGone`: somebody has deleted the message. */
export type PostedCall = SelectedRow<typeof callColumns>;

export type CallUpdateRow = SelectedRow<typeof updateColumns>;

interface PostKey {
  readonly callId: string;
  readonly chatId: string;
}

export function createChatPostsRepository(db: Database) {
  return {
    async listChats({ event, after, until, limit }: RecipientsQuery): Promise<string[]> {
      const rows = await db.all<{ chatId: string }>(sql`
        SELECT chat_id AS chatId
        FROM telegram_chats
        WHERE caller_id = ${event.userId} AND chat_id > ${after} AND chat_id <= ${until}
        ORDER BY chat_id
        LIMIT ${limit}`);
      return rows.map(({ chatId }) => chatId);
    },

    async find({ eventId, chatId }: { eventId: string; chatId: string }): Promise<PostedCall | null> {
      const query = sql`
        SELECT ${callColumns.list}
        FROM call_events e
        JOIN calls k ON k.id = e.call_id
        JOIN users u ON u.id = k.caller_id
        LEFT JOIN chat_posts p ON p.call_id = k.id AND p.chat_id = ${chatId}
        WHERE e.id = ${readEventId(eventId).eventId}`;
      return selectRow(db, callColumns, query);
    },

    async listUpdates(callId: string, limit: number): Promise<CallUpdateRow[]> {
      const query = sql`
        SELECT ${updateColumns.list}
        FROM call_updates n
        JOIN calls k ON k.id = n.call_id
        WHERE n.call_id = ${callId}
        ORDER BY n.created_at DESC
        LIMIT ${limit}`;
      return selectRows(db, updateColumns, query);
    },

    async save(
      post: PostKey & { readonly messageId: number; readonly copiedTo: string | null },
    ): Promise<void> {
      const target = [chatPosts.callId, chatPosts.chatId];
      await db.insert(chatPosts).values(post).onConflictDoUpdate({ target, set: post });
    },

    /** The message was deleted in the chat, so the call is never posted there again. */
    async forget({ callId, chatId }: PostKey): Promise<void> {
      await db
        .update(chatPosts)
        .set({ messageId: null })
        .where(and(eq(chatPosts.callId, callId), eq(chatPosts.chatId, chatId)));
    },
  };
}
