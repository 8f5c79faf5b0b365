import { sql } from 'drizzle-orm';
import type { Period } from '#schema/rules/access/subscription.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import type { Standing } from '#schema/rules/people/standing.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { sessions } from '#schema/tables/sessions.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import type { ActiveCall } from '../../market/prices/shown-prices.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection, selectRows } from '../../../shared/rows.ts';

const followed = columnsOf(subscriptions, 's', ['subscriberId', 'callerId']);
const open = columnsOf(sessions, 's', ['tokenHash']);

export interface ShownCall extends ActiveCall {
  readonly id: string;
}

type Held = readonly [viewerId: string, startsAt: number | null, endsAt: number | null];
interface Grouped {
  readonly held: JsonText<readonly Held[]>;
}

const viewedSelection = selection(
  columnsOf(callers, 'c', ['caller_id', 'fee_lamports', 'is_suspended', 'is_hidden']),
  computed<Grouped>({
    held: sql`(
      SELECT json_group_array(json_array(viewer.value, p.starts_at, p.ends_at))
      FROM json_each(pair.value ->> 1) viewer
      LEFT JOIN periods p ON p.subscriber_id = viewer.value AND p.caller_id = c.caller_id AND p.status = 'active')`,
  }),
);
const shownSelection = selection(
  columnsOf(calls, 'k', ['id', 'callerId', 'calledAt']),
  computed<Pick<ShownCall, 'mint'>>({ mint: sql`k.token_mint` }),
);

/** The start of a caller's id, or all of it, and the viewers who may get this caller's messages. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

interface Viewer {
  readonly viewerId: string;
  readonly periods: readonly Period[];
}

/** A caller with viewers' periods that haven't expired. Whether they give access now is still to be decided. */
export interface ViewedCaller {
  readonly callerId: string;
  readonly isFree: boolean;
  readonly standing: Standing;
  readonly viewers: readonly Viewer[];
}

export type LiveRepository = ReturnType<typeof createLiveRepository>;

export function createLiveRepository(db: Database) {
  return {
    /** The callers whom each of these people follows. May include periods that have just ended. */
    async listFollowed(userIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
      const query = sql`
        SELECT DISTINCT ${followed.list}
        FROM json_each(${JSON.stringify(userIds)}) person
        CROSS JOIN subscriptions s ON s.subscriber_id = person.value AND s.status = 'active'`;
      const rows = await selectRows(db, followed, query);
      const ofPerson = Map.groupBy(rows, ({ subscriberId }) => subscriberId);
      return new Map(userIds.map((id) => [id, (ofPerson.get(id) ?? []).map(({ callerId }) => callerId)]));
    },

    /** The active calls of callers, given by the starts of their ids, in this order. */
    listActiveCalls(starts: readonly string[], limit: number): Promise<ShownCall[]> {
      const query = sql`
        SELECT ${shownSelection.list}
        FROM json_each(${JSON.stringify(starts)}) start
        CROSS JOIN calls k INDEXED BY calls_active
          ON k.caller_id >= start.value AND k.caller_id < start.value || '~' AND k.ended_at IS NULL
        LIMIT ${limit}`;
      return selectRows(db, shownSelection, query);
    },

    /** The callers of these pairs, in one statement. */
    async listViewed(pairs: Pairs): Promise<ViewedCaller[]> {
      const query = sql`
        SELECT ${viewedSelection.list}
        FROM json_each(${JSON.stringify([...pairs])}) pair
        CROSS JOIN callers c
          ON c.caller_id >= pair.value ->> 0 AND c.caller_id < (pair.value ->> 0) || '~'`;
      return (await selectRows(db, viewedSelection, query)).map((row) => ({
        callerId: row.caller_id,
        isFree: isFreeFee(row.fee_lamports),
        standing: standingOf(row),
        viewers: readViewers(row.held),
      }));
    },

    async listOpenSessions(ids: readonly string[], now: number): Promise<ReadonlySet<string>> {
      const query = sql`
        SELECT ${open.list}
        FROM json_each(${JSON.stringify(ids)}) CROSS JOIN sessions s ON s.token_hash = value AND s.expires_at > ${now}`;
      return new Set((await selectRows(db, open, query)).map(({ tokenHash }) => tokenHash));
    },
  };
}

const readViewers = (held: Grouped['held']): readonly Viewer[] =>
  [...Map.groupBy(readJson(held), ([viewerId]) => viewerId)].map(([viewerId, group]) => ({
    viewerId,
    periods: group.flatMap(([, startsAt, endsAt]) => (startsAt === null ? [] : [{ startsAt, endsAt }])),
  }));
