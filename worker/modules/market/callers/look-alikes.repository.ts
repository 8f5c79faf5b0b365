import { sql } from 'drizzle-orm';
import { callers, IS_KNOWN_SQL } from '#schema/tables/callers.ts';
import type { Database } from '../../../shared/database.ts';
import { UNION_ALL } from '../../../shared/merge-sorted.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

/** The known callers with the same key that are compared, for each of the four pairs of handles and names. */
const LOOK_ALIKES_READ = 4;

/** The look-alike and the caller have the same key: the look-alike since `key_since`, the caller since `own_since`. */
const lookAlike = selection(
  columnsOf(callers, 'found', ['is_verified', 'paying_count', 'summary']),
  computed<{ id: string; key_since: number; own_since: number }>({
    id: 'caller_id',
    key_since: 'key_since',
    own_since: 'own_since',
  }),
);

export type LookAlikeRow = SelectedRow<typeof lookAlike>;

const KEYS = ['handle', 'name'] as const;

export const lookAlikeKeys = columnsOf(callers, 'c', [
  'handle_key',
  'handle_since',
  'name_key',
  'name_since',
]);

export interface LookAlikesQuery extends SelectedRow<typeof lookAlikeKeys> {
  readonly id: string;
  readonly is_verified: boolean;
}

export function createLookAlikesRepository(db: Database) {
  return {
    /**
     * Known callers whose handle or name looks like this caller's handle or name. If there are too many, returns
     * verified ones and those who have had theirs for the longest time, so that newer accounts don't displace them.
     * A verified caller has none, because nobody is better known.
     */
    async list({ id, is_verified: isVerified, ...own }: LookAlikesQuery): Promise<LookAlikeRow[]> {
      const keys = KEYS.filter((key) => own[`${key}_key`] !== '');
      if (keys.length === 0 || isVerified) return [];
      const found = keys.flatMap((key) =>
        KEYS.map((other) => {
          const since = sql.raw(`${other}_since`);
          return sql`
            SELECT * FROM (
              SELECT *, ${since} AS key_since, ${own[`${key}_since`]} AS own_since
              FROM callers INDEXED BY ${sql.raw(`known_callers_by_${other}_key`)}
              WHERE ${sql.raw(`${other}_key`)} = ${own[`${key}_key`]} AND ${sql.raw(IS_KNOWN_SQL)} AND caller_id <> ${id}
              ORDER BY is_verified DESC, ${since}
              LIMIT ${LOOK_ALIKES_READ})`;
        }),
      );
      const query = sql`SELECT ${lookAlike.list} FROM (${sql.join(found, UNION_ALL)}) found`;
      return selectRows(db, lookAlike, query);
    },
  };
}
