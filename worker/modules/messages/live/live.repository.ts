import { sql } from 'drizzle-orm';
import { MAX_LIVE_FOLLOWS } from '#schema/constants/messages.ts';
import { sessions } from '#schema/tables/sessions.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, selectRows } from '../../../shared/rows.ts';

const followed = columnsOf(subscriptions, 's', ['callerId']);
const open = columnsOf(sessions, 's', ['tokenHash']);

export type LiveRepository = ReturnType<typeof createLiveRepository>;

export function createLiveRepository(db: Database) {
  return {
    /** Lists the callers whom this person follows. May include periods that ended within the last minute. */
    async listFollowed(userId: string): Promise<string[]> {
      const query = sql`
        SELECT DISTINCT ${followed.list} FROM subscriptions s
        WHERE s.subscriber_id = ${userId} AND s.status = 'active'
        LIMIT ${MAX_LIVE_FOLLOWS}`;
      return (await selectRows(db, followed, query)).map(({ callerId }) => callerId);
    },

    async listOpenSessions(ids: readonly string[], now: number): Promise<ReadonlySet<string>> {
      const query = sql`
        SELECT ${open.list}
        FROM json_each(${JSON.stringify(ids)}) CROSS JOIN sessions s ON s.token_hash = value AND s.expires_at > ${now}`;
      return new Set((await selectRows(db, open, query)).map(({ tokenHash }) => tokenHash));
    },
  };
}
