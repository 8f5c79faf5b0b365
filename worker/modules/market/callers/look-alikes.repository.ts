import { sql, type SQL } from 'drizzle-orm';
import { LOOK_ALIKES_READ } from '#schema/constants.ts';
import { callers } from '#schema/tables/callers.ts';
import { callerSummary } from '../../../shared/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { UNION_ALL } from '../../../shared/merge-sorted.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

/**
 * The look-alike and the caller have the same key: the look-alike since `key_since`, the caller since
 * `own_since`.
 */
const lookAlike = selection(
  callerSummary,
  columnsOf(callers, 'c', { id: 'caller_id' }),
  columnsOf(callers, 'c', ['subscriber_count']),
  computed<{ key_since: number; own_since: number }>({
    key_since: 'found.key_since',
    own_since: 'found.own_since',
  }),
);

export type LookAlikeRow = SelectedRow<typeof lookAlike>;

const KEYS = [
  { key: callers.handleKey, since: callers.handleSince },
  { key: callers.nameKey, since: callers.nameSince },
];

/** The keys of the caller whose look-alikes are read. Part of `profileSelection`. */
export const lookAlikeKeys = columnsOf(callers, 'c', [
  'handle_key',
  'handle_since',
  'name_key',
  'name_since',
]);

export type LookAlikesQuery = SelectedRow<typeof lookAlikeKeys> & { readonly id: string };

export type LookAlikesRepository = ReturnType<typeof createLookAlikesRepository>;

export function createLookAlikesRepository(db: Database) {
  return {
    /**
     * Callers whose handle or name looks like this caller's handle or name. If there are too many, returns
     * those who have had theirs for the longest time, so that newer accounts don't displace them.
     */
    async list({ id, ...keys }: LookAlikesQuery): Promise<LookAlikeRow[]> {
      const own = [
        { key: keys.handle_key, since: keys.handle_since },
        { key: keys.name_key, since: keys.name_since },
      ].filter(({ key }) => key !== '');
      if (own.length === 0) return [];
      const found = own.flatMap((each) => KEYS.map((other) => holdersOf(each, other)));
      const query = sql`
        SELECT ${lookAlike.list}
        FROM (${sql.join(found, UNION_ALL)}) found
        JOIN callers c ON c.caller_id = found.caller_id
        JOIN users u ON u.id = found.caller_id
        WHERE found.caller_id <> ${id} AND u.is_suspended = 0 AND u.is_hidden = 0 AND u.left_at IS NULL`;
      return selectRows(db, lookAlike, query);
    },
  };
}

interface OwnKey {
  readonly key: string | null;
  /** Unix ms. */
  readonly since: number;
}

function holdersOf(own: OwnKey, other: (typeof KEYS)[number]): SQL {
  const [key, since] = [sql.identifier(other.key.name), sql.identifier(other.since.name)];
  return sql`
    SELECT * FROM (
      SELECT caller_id, ${since} AS key_since, ${own.since} AS own_since
      FROM callers
      WHERE ${key} = ${own.key}
      ORDER BY ${since}
      LIMIT ${LOOK_ALIKES_READ})`;
}
