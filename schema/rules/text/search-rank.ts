/** A level of the average return has this many percentage points. */
const LEVEL_WIDTH = 2;
const LEVELS = 1_024;

/** The search index sorts callers by rank, then by the caller's rowid. Its rowid is `rank * RANK_SIZE + rowid`. */
export const RANK_SIZE = 2 ** 40;
export const RANKS_PER_GROUP = LEVELS;

/**
 * The rank of a caller in the search index. Lower ranks come first in the directory's default order. Callers with the
 * same rank are sorted when they are read, so a rank changes only when the average return reaches another level.
 */
export function searchRank({ isProven, avgReturn }: { isProven: 0 | 1; avgReturn: number }): number {
  const level = Math.min(LEVELS - 1, Math.max(0, Math.trunc((avgReturn + 100) / LEVEL_WIDTH)));
  return (1 - isProven) * LEVELS + LEVELS - 1 - level;
}

/** `searchRank` in SQL, for the columns of `callers`. */
export const SEARCH_RANK_SQL = `(1 - (proven > 0)) * ${LEVELS} + ${LEVELS - 1} - min(${LEVELS - 1}, max(0, CAST((avg_return + 100) / ${LEVEL_WIDTH} AS INTEGER)))`;
