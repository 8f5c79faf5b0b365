import { and, eq, lt, or, sql, type SQL } from 'drizzle-orm';
import { RATE_SORTS } from '#schema/constants/market.ts';
import { MAX_FEE_LAMPORTS } from '#schema/constants/money.ts';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { feeLevelOf, LAST_FEE_LEVEL } from '#schema/rules/money/fee-levels.ts';
import { callers, CALLS_MICRO_CAPS_SQL, SORT_COLUMNS } from '#schema/tables/callers.ts';
import type { KeysetCursor } from '../../../shared/keyset.ts';
import { mergeSorted, UNION_ALL } from '../../../shared/merge-sorted.ts';
import { allOf } from '../../../shared/sql.ts';

export interface DirectoryScan {
  readonly sort: CallerSort;
  readonly order: 'asc' | 'desc';
  readonly maxFeeLamports: bigint | null;
  readonly isVerifiedOnly: boolean;
  readonly isPaidOnly: boolean;
  /** Only in the default order. */
  readonly isMicroCapsOnly: boolean;
  readonly cursor: KeysetCursor | null;
}

/** Orders with an index without fee levels. Only some have one, because it costs a write per ended call. */
const PLAIN_SORTS: readonly CallerSort[] = ['avgReturn', 'subscribers'];

const isGrouped = (sort: CallerSort) => RATE_SORTS.some((rate) => rate === sort);

/** The column that is 0 for the second group of an order by a rate or return, in both directions. */
export const groupColumn: SQL<number> = sql`is_leading`;

export function sortColumn(sort: CallerSort): SQL<number> {
  return sql<number>`${sql.raw(callers[SORT_COLUMNS[sort]].name)}`;
}

type Position = Pick<DirectoryScan, 'sort' | 'order' | 'cursor'>;

/** The rows after the cursor. With the value and the id in an index, no rows before it are read. */
function afterCursor({ sort, order, cursor }: Position): SQL | undefined {
  if (!cursor) return undefined;
  const after = sql.raw(order === 'asc' ? '>' : '<');
  return sql`(${sortColumn(sort)}, caller_id) ${after} (${cursor.value}, ${cursor.id})`;
}

function orderBy({ sort, order }: Omit<Position, 'cursor'>): SQL {
  const direction = sql.raw(order === 'asc' ? 'ASC' : 'DESC');
  return sql`${sortColumn(sort)} ${direction}, caller_id ${direction}`;
}

const isVerified = sql`is_verified = 1`;

/**
 * Selects all columns of the callers in the order of the directory, up to `limit`. SQLite stops reading when
 * the outer query has enough rows. If the maximum fee is inside a fee level, callers of this level with a
 * higher fee are included (see `isTopOfFeeLevel`).
 * @returns null if no caller can match
 */
export function scanCallers(scan: DirectoryScan, limit: number): SQL | null {
  if (scan.sort === 'fee') return scanByFee(scan, limit);
  const branches = branchesOf(scan);
  if (branches.length === 0) return null;
  const ordered = sql`ORDER BY ${orderBy(scan)}`;
  const merged = (condition: SQL) => {
    const selects = branches.map((branch) => sql`${branch} AND ${condition}`);
    return sql`SELECT * FROM (${mergeSorted(selects, ordered)} ${ordered}) LIMIT ${limit}`;
  };
  if (!isGrouped(scan.sort)) return merged(allOf(afterCursor(scan)));
  const groups = scan.cursor?.group === 0 ? [0] : [1, 0];
  const ofGroups = groups.map((group) => {
    const cursor = scan.cursor?.group === group ? scan.cursor : null;
    const isInGroup = sql`${groupColumn} = ${sql.raw(String(group))}`;
    return sql`SELECT * FROM (${merged(allOf(isInGroup, afterCursor({ ...scan, cursor })))})`;
  });
  return sql`SELECT * FROM (${sql.join(ofGroups, UNION_ALL)}) LIMIT ${limit}`;
}

function branchesOf(scan: DirectoryScan): SQL[] {
  const { sort, maxFeeLamports, isVerifiedOnly, isPaidOnly, isMicroCapsOnly } = scan;
  if (isMicroCapsOnly) {
    return [
      sql.raw(
        `SELECT *, rowid AS hit FROM callers INDEXED BY micro_cap_callers WHERE ${CALLS_MICRO_CAPS_SQL}`,
      ),
    ];
  }
  const { name } = callers[SORT_COLUMNS[sort]];
  if (PLAIN_SORTS.includes(sort) && !isVerifiedOnly && !isPaidOnly && maxFeeLamports === null) {
    return [sql.raw(`SELECT *, rowid AS hit FROM callers INDEXED BY callers_by_${name} WHERE 1 = 1`)];
  }
  const index = `${isVerifiedOnly ? 'verified_callers_by' : 'callers_by_fee_level_and'}_${name}`;
  return feeLevelsOf({ maxFeeLamports, isPaidOnly }).map((level) =>
    sql.raw(
      `SELECT *, rowid AS hit FROM callers INDEXED BY ${index} WHERE fee_level = ${level}${isVerifiedOnly ? ' AND is_verified = 1' : ''}`,
    ),
  );
}

/** The fee levels that the filters allow. The last one may have higher fees, too (`isTopOfFeeLevel`). */
export function feeLevelsOf({
  maxFeeLamports,
  isPaidOnly,
}: Pick<DirectoryScan, 'maxFeeLamports' | 'isPaidOnly'>): number[] {
  const first = isPaidOnly ? 1 : 0;
  const last = maxFeeLamports === null ? LAST_FEE_LEVEL : feeLevelOf(maxFeeLamports);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
}

/** In the order by fee, the fee filters are a single range of the index. Each end of the range has one condition. */
function scanByFee(scan: DirectoryScan, limit: number): SQL | null {
  const { order, cursor, maxFeeLamports, isVerifiedOnly, isPaidOnly } = scan;
  const [min, max] = [isPaidOnly ? 1 : 0, Number(maxFeeLamports ?? MAX_FEE_LAMPORTS)];
  const index = sql.raw(isVerifiedOnly ? 'verified_callers_by_fee' : 'callers_by_fee');
  if (min > max) return null;
  const isInRange = cursor !== null && cursor.value >= min && cursor.value <= max;
  const isPastEnd = cursor !== null && (order === 'asc' ? cursor.value > max : cursor.value < min);
  if (isPastEnd) return null;
  const isListed = allOf(
    isInRange ? afterCursor(scan) : undefined,
    isInRange && order === 'asc' ? undefined : sql`fee_lamports >= ${min}`,
    isInRange && order === 'desc' ? undefined : sql`fee_lamports <= ${max}`,
    isVerifiedOnly ? isVerified : undefined,
  );
  return sql`
    SELECT *, rowid AS hit FROM callers INDEXED BY ${index}
    WHERE ${isListed}
    ORDER BY ${orderBy(scan)}
    LIMIT ${limit}`;
}

/** The conditions of all filters but the search. */
export const filtersOf = (scan: DirectoryScan): SQL[] => [
  ...(scan.maxFeeLamports === null ? [] : [sql`fee_lamports <= ${Number(scan.maxFeeLamports)}`]),
  ...(scan.isVerifiedOnly ? [isVerified] : []),
  ...(scan.isPaidOnly ? [sql`fee_lamports > 0`] : []),
  ...(scan.isMicroCapsOnly ? [sql.raw(CALLS_MICRO_CAPS_SQL)] : []),
];

interface Unsorted {
  readonly from: SQL;
  readonly ordered?: SQL;
  readonly limit: number;
}

/**
 * Selects `hit` and all columns of the callers that match all filters. Reads all rows of `from`.
 * `LIMIT -1` has no effect but on SQLite's way of sorting: with only the outer limit, it keeps the first rows while it
 * sorts, and D1 counts one more row read for each row that isn't among them.
 */
export function sortCallers(scan: DirectoryScan, { from, ordered, limit }: Unsorted): SQL {
  const { sort, cursor } = scan;
  const hasGroups = isGrouped(sort);
  const group = cursor?.group ?? 1;
  const after = afterCursor(scan);
  const isAfter =
    hasGroups && cursor ? or(lt(groupColumn, group), and(eq(groupColumn, group), after)) : after;
  const isListed = allOf(...filtersOf(scan), isAfter);
  return sql`
    SELECT * FROM (
      SELECT callers.*, hit FROM ${from}
      WHERE ${isListed}
      ORDER BY ${ordered ?? sql`${hasGroups ? sql`${groupColumn} DESC, ` : undefined}${orderBy(scan)}`}
      LIMIT -1)
    LIMIT ${limit}`;
}
