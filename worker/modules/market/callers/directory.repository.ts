import { sql, type SQL } from 'drizzle-orm';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { isTopOfFeeLevel } from '#schema/rules/money/fee-levels.ts';
import { callers } from '#schema/tables/callers.ts';
import { readWithSharedParams, type Database } from '../../../shared/database.ts';
import type { KeysetCursor } from '../../../shared/keyset.ts';
import { logSize } from '../../../shared/log-entries.ts';
import { columnsOf, computed, selection, type SelectedRow } from '../../../shared/rows.ts';
import { allOf } from '../../../shared/sql.ts';
import { callersOfHits, hitsOfPage, readHits, type SearchQuery } from './caller-search.ts';
import { callerSelection } from './callers.repository.ts';
import {
  groupColumn,
  scanCallers,
  selectFiltered,
  sortCallers,
  sortColumn,
  type DirectoryScan,
} from './directory-scan.ts';

const listedSelection = (sort: CallerSort) =>
  selection(
    callerSelection,
    columnsOf(callers, 'c', ['recent_calls']),
    computed<{ sort_value: number; sort_group: number; log_size: number }>({
      sort_value: sql`c.${sortColumn(sort)}`,
      sort_group: sql`c.${groupColumn(sort)}`,
      log_size: logSize,
    }),
  );

export type ListedCallerRow = SelectedRow<ReturnType<typeof listedSelection>>;

export interface DirectoryQuery extends DirectoryScan {
  /** Normalized. Null or at least one character. */
  readonly search: string | null;
  readonly limit: number;
}

export interface DirectoryPage {
  readonly rows: readonly ListedCallerRow[];
  /**
   * The position at which reading stopped because the page had read too many rows. Null if the page is full or
   * there are no more rows.
   */
  readonly scannedTo: KeysetCursor | null;
}

/** Limits the number of rows that a page of the directory may read. */
export interface DirectoryLimits {
  /** A search first reads this many hits. If the page needs more, the search scans the directory in its order. */
  readonly hits: number;
  /** If the scan doesn't fill the page, the search reads this many hits. */
  readonly moreHits: number;
  /** If a page isn't full after this many rows of a scan, it ends there. The next page continues after these rows. */
  readonly scannedRows: number;
  /** If at most this many callers match the filters, a page reads all of them. */
  readonly few: number;
}

/** With these limits, a search reads fewer than 5,000 rows, and another page at most 1,500. */
const LIMITS: DirectoryLimits = { hits: 500, moreHits: 1_100, scannedRows: 700, few: 15 };

const EMPTY_PAGE: DirectoryPage = { rows: [], scannedTo: null };

export type DirectoryRepository = ReturnType<typeof createDirectoryRepository>;

export function createDirectoryRepository(db: Database, limits = LIMITS) {
  const read = async (query: DirectoryQuery, from: SQL): Promise<ListedCallerRow[]> => {
    const listed = listedSelection(query.sort);
    const rows = await readWithSharedParams(
      db,
      sql`
        SELECT ${listed.list}
        FROM (${from}) c
        CROSS JOIN users u ON u.id = c.caller_id
        WHERE ${allOf(...filtersOutsideScan(query))}
        LIMIT ${query.limit}`,
    );
    return rows.map(listed.read);
  };

  /** Reads callers in the directory's order until the page is full. */
  const readByScan = async (query: DirectoryQuery): Promise<DirectoryPage> => {
    const isFiltered = filtersOutsideScan(query).length > 0;
    const scan = scanCallers(query, isFiltered ? limits.scannedRows : query.limit);
    if (!scan) return EMPTY_PAGE;
    const rows = await read(query, scan);
    if (!isFiltered || rows.length === query.limit) return { rows, scannedTo: null };
    const [last] = await readWithSharedParams(
      db,
      sql`
        SELECT c.${sortColumn(query.sort)} AS value, c.caller_id AS id, c.${groupColumn(query.sort)} AS "group"
        FROM (${scan}) c
        LIMIT 1 OFFSET ${limits.scannedRows - 1}`,
    );
    return { rows, scannedTo: (last as KeysetCursor | undefined) ?? null };
  };

  /** Selects all callers that match the filters. Null if there are too many to read all of them. */
  const selectFew = async (query: DirectoryQuery): Promise<SQL | null> => {
    const { sort, maxFeeLamports, isVerifiedOnly, isPaidOnly } = query;
    const hasFilters = maxFeeLamports !== null || isVerifiedOnly || isPaidOnly;
    if (sort === 'fee' || !hasFilters) return null;
    const few = selectFiltered(query, limits.few + 1);
    const [counted] = await readWithSharedParams(db, sql`SELECT COUNT(*) AS callers FROM (${few})`);
    return Number(counted?.['callers']) <= limits.few ? few : null;
  };

  /** Reads a page from the search index. Null if the page needs more hits than this. */
  const readFromIndex = async (query: SearchQuery, maxHits: number): Promise<DirectoryPage | null> => {
    const hits = await readHits(db, query, maxHits);
    if (hits.length === 0) return EMPTY_PAGE;
    const isComplete = hits.length < maxHits;
    const readSorted = (found: readonly number[]) =>
      read(
        query,
        sortCallers(query, {
          from: callersOfHits(found),
          // Some hits have the term's tokens, but not the term.
          filter: sql`instr(search_text, ${query.search}) > 0`,
          limit: query.limit,
        }),
      );
    const found = hitsOfPage(query, hits);
    const rows = found ? await readSorted(found) : [];
    if (rows.length === query.limit) return { rows, scannedTo: null };
    return isComplete ? { rows: await readSorted(hits), scannedTo: null } : null;
  };

  /** A rare term is found in the index, a common one in the directory's order. */
  const readBySearch = async (query: SearchQuery): Promise<DirectoryPage> => {
    const found = await readFromIndex(query, limits.hits);
    if (found) return found;
    const scanned = await readByScan(query);
    if (!scanned.scannedTo) return scanned;
    return (await readFromIndex(query, limits.moreHits)) ?? scanned;
  };

  return {
    async list(query: DirectoryQuery): Promise<DirectoryPage> {
      if (query.isPaidOnly && query.maxFeeLamports === 0n) return EMPTY_PAGE;
      const { search } = query;
      if (search !== null) return readBySearch({ ...query, search });
      const few = await selectFew(query);
      if (!few) return readByScan(query);
      const from = sql`(${few}) CROSS JOIN callers ON callers.rowid = hit`;
      const rows = await read(query, sortCallers(query, { from, limit: query.limit }));
      return { rows, scannedTo: null };
    },
  };
}

/** The conditions that the scan doesn't check. */
function filtersOutsideScan({ sort, search, maxFeeLamports }: DirectoryQuery): SQL[] {
  const mayHaveHigherFees = sort !== 'fee' && maxFeeLamports !== null && !isTopOfFeeLevel(maxFeeLamports);
  return [
    ...(search === null ? [] : [sql`instr(c.search_text, ${search}) > 0`]),
    ...(mayHaveHigherFees ? [sql`c.fee_lamports <= ${Number(maxFeeLamports)}`] : []),
  ];
}
