import { sql, type SQL } from 'drizzle-orm';
import { LOOK_ALIKES_READ } from '#schema/constants.ts';
import { callers } from '#schema/tables/callers.ts';
import { callerSummary } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../shared/rows.ts';

/**
 * The look-alike and the caller have the same key: the look-alike since `key_since`, the caller since
 * `own_since`.
 */
const lookAlike = selection(
  callerSummary,
  columnsOf(callers, 'c', { id: 'caller_id' }),
  columnsOf(callers, 'c', ['subscriber_count']),
  computed<{ key_since: number; own_since: number }>({
    key_since: sql`found.key_since`,
    own_since: sql`found.own_since`,
  }),
);

export type LookAlikeRow = SelectedRow<typeof lookAlike>;

const KEYS = [
  { key: callers.handleKey, since: callers.handleSince },
  { key: callers.nameKey, since: callers.nameSince },
];

export type LookAlikesRepository = ReturnType<typeof createLookAlikesRepository>;

export function createLookAlikesRepository(db: Database) {
  return {
    /**
     * Callers whose handle or name looks like this caller's handle or name. If there are too many, returns
     * those who have had theirs for the longest time, so that newer accounts don't displace them.
     */
    async list(callerId: string): Promise<LookAlikeRow[]> {
      const found = KEYS.flatMap((own) => KEYS.map((other) => holdersOf({ callerId, own, other })));
      const query = sql`
        SELECT ${lookAlike.list}
        FROM (${sql.join(found, sql` UNION ALL `)}) found
        JOIN callers c ON c.caller_id = found.caller_id
        JOIN users u ON u.id = found.caller_id
        WHERE found.caller_id <> ${callerId}`;
      return selectRows(db, lookAlike, query);
    },
  };
}

interface KeyPair {
  readonly callerId: string;
  readonly own: (typeof KEYS)[number];
  readonly other: (typeof KEYS)[number];
}

function holdersOf({ callerId, own, other }: KeyPair): SQL {
  const ownValue = (name: string) =>
    sql`(SELECT ${sql.identifier(name)} FROM callers WHERE caller_id = ${callerId})`;
  const [key, since] = [sql.identifier(other.key.name), sql.identifier(other.since.name)];
  return sql`
    SELECT * FROM (
      SELECT caller_id, ${since} AS key_since, ${ownValue(own.since.name)} AS own_since
      FROM callers
      WHERE ${key} = ${ownValue(own.key.name)} AND ${key} <> ''
      ORDER BY ${since}
      LIMIT ${LOOK_ALIKES_READ})`;
}
