import { sql, type SQL } from 'drizzle-orm';
import { GROUP_SIZE, RANK_SIZE } from '#schema/rules/text/search-rank.ts';
import { searchPhrase } from '#schema/rules/text/search.ts';
import { readWithSharedParams, type Database } from '../../../shared/database.ts';
import { UNION_ALL } from '../../../shared/merge-sorted.ts';
import { feeLevelsOf, type DirectoryScan } from './directory-scan.repository.ts';

export interface SearchQuery extends DirectoryScan {
  /** Normalized, not empty. */
  readonly search: string;
  readonly limit: number;
}

/** The order of the index, as `ORDER BY` of callers with their `hit`: first the leading ones, in both directions. */
export const orderOfIndex = ({ order }: Pick<DirectoryScan, 'order'>) =>
  sql.raw(`is_leading DESC, hit ${order === 'asc' ? 'DESC' : 'ASC'}`);

/**
 * Reads the first hits after the cursor, whose value is a hit: the ids in the search index of callers who have the term and
 * match the filters. A maximum fee inside a fee level counts as the level's end.
 */
export async function readHits(db: Database, query: SearchQuery, limit: number): Promise<number[]> {
  const direction = sql.raw(query.order === 'asc' ? 'DESC' : 'ASC');
  const selects = rangesOf(query).map(
    (range) => sql`
      SELECT * FROM (
        SELECT rowid AS hit FROM callers_search
        WHERE callers_search MATCH ${matchOf(query)} AND ${range}
        ORDER BY rowid ${direction})`,
  );
  const rows = await readWithSharedParams(
    db,
    sql`SELECT hit FROM (${sql.join(selects, UNION_ALL)}) LIMIT ${limit}`,
  );
  return rows.map(({ hit }) => Number(hit));
}

function rangesOf({ order, cursor }: SearchQuery): SQL[] {
  // A visitor may have changed the cursor to any number.
  const after = cursor ? Math.min(Math.trunc(cursor.value), 2 * GROUP_SIZE - 1) : -1;
  return [0, GROUP_SIZE].flatMap((first) => {
    const last = first + GROUP_SIZE - 1;
    if (after > last) return [];
    const isWithin = after >= first;
    const from = isWithin && order === 'desc' ? after + 1 : first;
    const until = isWithin && order === 'asc' ? after - 1 : last;
    return [sql.raw(`rowid BETWEEN ${from} AND ${until}`)];
  });
}

function matchOf(query: SearchQuery): string {
  const parts = [searchPhrase(query.search)];
  if (query.isVerifiedOnly) parts.push('verified');
  if (query.isPaidOnly || query.maxFeeLamports !== null) {
    parts.push(
      `(${feeLevelsOf(query)
        .map((level) => `level${level}`)
        .join(' OR ')})`,
    );
  }
  return parts.join(' AND ');
}

/** SQL after FROM: each hit and its caller's row. Needs at least one hit. D1 doesn't count the rows of VALUES. */
export function callersOfHits(hits: readonly number[]): SQL {
  const values = hits.map((hit) => `(${hit})`).join(', ');
  return sql.raw(
    `(SELECT column1 AS hit FROM (VALUES ${values})) CROSS JOIN callers ON callers.rowid = hit % ${RANK_SIZE}`,
  );
}
