import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_CALLER_SORT } from '#schema/constants.ts';
import { RANK_SIZE, RANKS_PER_GROUP, searchRank } from '#schema/rules/text/search-rank.ts';
import { searchTokens } from '#schema/rules/text/search.ts';
import { readWithSharedParams, type Database } from '../../../shared/database.ts';
import { UNION_ALL } from '../../../shared/merge-sorted.ts';
import { feeLevelsOf, type DirectoryScan } from './directory-scan.ts';

export interface SearchQuery extends DirectoryScan {
  /** Normalized, not empty. */
  readonly search: string;
  readonly limit: number;
}

/** True if the search index has the order of the page. */
export const isInOrderOfRank = ({ sort }: Pick<DirectoryScan, 'sort'>) => sort === DEFAULT_CALLER_SORT;

/**
 * Reads the first hits: the ids in the search index of callers who match the filters and may have the term. They begin
 * at the cursor if the index has the order of the page.
 */
export async function readHits(db: Database, query: SearchQuery, limit: number): Promise<number[]> {
  const ranges = isInOrderOfRank(query) ? rangesOf(query) : [sql`rowid >= 0`];
  const direction = sql.raw(query.order === 'asc' ? 'DESC' : 'ASC');
  const selects = ranges.map(
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

/** Ranges of the index in the order of the page: first the proven callers, in both directions. */
function rangesOf({ order, cursor }: SearchQuery): SQL[] {
  const start = cursor && searchRank({ isProven: cursor.group === 0 ? 0 : 1, avgReturn: cursor.value });
  return [0, RANKS_PER_GROUP].flatMap((first) => {
    const last = first + RANKS_PER_GROUP - 1;
    if (start !== null && start > last) return [];
    const isWithin = start !== null && start >= first;
    const from = isWithin && order === 'desc' ? start : first;
    const until = isWithin && order === 'asc' ? start : last;
    return [
      sql`rowid >= ${sql.raw(String(from * RANK_SIZE))} AND rowid < ${sql.raw(String((until + 1) * RANK_SIZE))}`,
    ];
  });
}

/** An expression for the index: all tokens of the term, and those of the filters. */
function matchOf(query: SearchQuery): string {
  const tokens = searchTokens(query.search);
  if (query.isVerifiedOnly) tokens.push('verified');
  if (query.isPaidOnly || query.maxFeeLamports !== null) {
    tokens.push(
      `(${feeLevelsOf(query)
        .map((level) => `level${level}`)
        .join(' OR ')})`,
    );
  }
  return tokens.join(' AND ');
}

const rankOf = (hit: number) => Math.floor(hit / RANK_SIZE);

/** The hits of the ranks that are surely read to their end. None if the index doesn't have the order of the page. */
export function hitsOfReadRanks(query: SearchQuery, hits: readonly number[]): readonly number[] {
  const last = rankOf(hits.at(-1) ?? 0);
  return isInOrderOfRank(query) ? hits.filter((hit) => rankOf(hit) !== last) : [];
}

/** The number of hits in the ranks that fill a page if all of them match. Hits of the same rank are in no order. */
export function countHitsOfPage(query: SearchQuery, hits: readonly number[]): number {
  if (!isInOrderOfRank(query)) return hits.length;
  const [first = 0] = hits;
  // The page may begin after any hit of the cursor's rank.
  const skipped = query.cursor ? hits.filter((hit) => rankOf(hit) === rankOf(first)).length : 0;
  const end = hits.findIndex(
    (hit, place) => place >= skipped + query.limit && rankOf(hit) !== rankOf(hits[place - 1] ?? hit),
  );
  return end === -1 ? hits.length : end;
}

/** Selects the rows of at least one caller, as the right side of FROM. D1 doesn't count the rows of VALUES. */
export function callersOfHits(hits: readonly number[]): SQL {
  const values = hits.map((hit) => `(${hit % RANK_SIZE})`).join(', ');
  return sql`(VALUES ${sql.raw(values)}) found CROSS JOIN callers ON callers.rowid = found.column1`;
}
