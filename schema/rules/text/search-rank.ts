/** A level of the average return has a thousandth of a percentage point. */
const LEVELS_PER_POINT = 1_000;
const LEVELS = 2 ** 26;

/**
 * The search index sorts callers by rank, then by the caller's rowid. The index's rowid is `rank * RANK_SIZE + rowid`,
 * which is always a safe integer.
 */
export const RANK_SIZE = 2 ** 26;
/** The index has first the leading callers, then as many rowids for the others. */
export const GROUP_SIZE = LEVELS * RANK_SIZE;

/**
 * The rank of a caller in the search index, in SQL for the columns of `callers`. Lower ranks come first in the
 * directory's default order.
 */
export const SEARCH_RANK_SQL = `(1 - is_leading) * ${LEVELS} + ${LEVELS - 1} - min(${LEVELS - 1}, max(0, CAST((avg_return + 100) * ${LEVELS_PER_POINT} AS INTEGER)))`;
