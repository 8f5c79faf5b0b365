import { sql, type SQL } from 'drizzle-orm';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { isTopOfFeeLevel } from '#schema/rules/money/fee-levels.ts';
import { callers } from '#schema/tables/callers.ts';
import { readWithSharedParams, type Database } from '../../../shared/database.ts';
import type { KeysetCursor } from '../../../shared/keyset.ts';
import { logSize } from '../../../shared/log-entries.ts';
import { columnsOf, computed, selection, type SelectedRow } from '../../../shared/rows.ts';
import { allOf } from '../../../shared/sql.ts';
import { selectHits, shouldReadHits, type DirectoryLimits } from './caller-search.ts';
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

/**
 * With these limits, a search reads fewer than 20,000 rows. It reads a sample. Then it either counts the hits
 * and reads them twice, or reads the scanned rows twice. Other pages read at most 1,500 rows.
 */
const LIMITS: DirectoryLimits = {
  hits: 5_500,
  scannedRows: 7_000,
  scannedRowsWithoutSearch: 700,
  sample: 16,
  few: 15,
};

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
    const maxRows = query.search === null ? limits.scannedRowsWithoutSearch : limits.scannedRows;
    const scan = scanCallers(query, isFiltered ? maxRows : query.limit);
    if (!scan) return EMPTY_PAGE;
    const rows = await read(query, scan);
    if (!isFiltered || rows.length === query.limit) return { rows, scannedTo: null };
    const [last] = await readWithSharedParams(
      db,
      sql`
        SELECT c.${sortColumn(query.sort)} AS value, c.caller_id AS id, c.${groupColumn(query.sort)} AS "group"
        FROM (${scan}) c
        LIMIT 1 OFFSET ${maxRows - 1}`,
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

  /** Selects all hits. Null if reading the directory in its order needs fewer rows. */
  const selectRareHits = async ({ limit }: DirectoryQuery, term: string): Promise<SQL | null> => {
    const isRare = await shouldReadHits({ db, term, limits, pageSize: limit });
    return isRare ? selectHits(term, limits.hits) : null;
  };

  return {
    async list(query: DirectoryQuery): Promise<DirectoryPage> {
      if (query.isPaidOnly && query.maxFeeLamports === 0n) return EMPTY_PAGE;
      const hits = query.search === null ? await selectFew(query) : await selectRareHits(query, query.search);
      if (!hits) return readByScan(query);
      const sorted = sortCallers(query, {
        from: sql`(${hits}) CROSS JOIN callers ON callers.rowid = hit`,
        filter: sql`instr(search_text, ${query.search ?? ''}) > 0`,
        limit: query.limit,
      });
      return { rows: await read(query, sorted), scannedTo: null };
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
