import { sql, type SQL } from 'drizzle-orm';
import { isTopOfFeeLevel } from '#schema/rules/money/fee-levels.ts';
import { callers } from '#schema/tables/callers.ts';
import { readWithSharedParams, type Database } from '../../../shared/database.ts';
import type { KeysetCursor } from '../../../shared/keyset.ts';
import { logSize } from '../../log/log-entries.repository.ts';
import { columnsOf, computed, selection, type SelectedRow } from '../../../shared/rows.ts';
import { allOf } from '../../../shared/sql.ts';
import { callersOfHits, orderOfIndex, readHits, type SearchQuery } from './caller-search.repository.ts';
import { callerSelection } from './callers.repository.ts';
import {
  filtersOf,
  groupColumn,
  scanCallers,
  sortCallers,
  sortColumn,
  type DirectoryScan,
} from './directory-scan.repository.ts';

const listedSelection = (query: DirectoryQuery) =>
  selection(
    callerSelection,
    columnsOf(callers, 'c', ['recent_calls']),
    computed<{ sort_value: number; sort_group: number; log_size: number }>({
      sort_value: sql`c.${query.search === null ? sortColumn(query.sort) : sql.raw('hit')}`,
      sort_group: sql`c.${groupColumn}`,
      log_size: logSize,
    }),
  );

export type ListedCallerRow = SelectedRow<ReturnType<typeof listedSelection>>;

export interface DirectoryQuery extends DirectoryScan {
  /** Searches have the default order, which is that of the search index. */
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

/** With these limits, a page reads at most 1,500 rows. */
const LIMITS = {
  /** A search with filters that the index doesn't have reads this many hits. The next page continues after these. */
  hits: 450,
  /** If a page isn't full after this many rows of a scan, it ends there. The next page continues after these rows. */
  scannedRows: 700,
};

/** A caller's position in the directory, and whether they match the filters that the scan doesn't check. */
interface ScannedCaller extends KeysetCursor {
  readonly hit: number;
  readonly is_match: 0 | 1;
}

const EMPTY_PAGE: DirectoryPage = { rows: [], scannedTo: null };

function createReader(db: Database) {
  const read = async (query: DirectoryQuery, from: SQL): Promise<ListedCallerRow[]> => {
    const listed = listedSelection(query);
    const rows = await readWithSharedParams(
      db,
      sql`
        SELECT ${listed.list}
        FROM (${from}) c
        CROSS JOIN users u ON u.id = c.caller_id
        LIMIT ${query.limit}`,
    );
    return rows.map(listed.read);
  };

  const readPositions = (query: DirectoryQuery, scan: SQL) =>
    readWithSharedParams<ScannedCaller>(
      db,
      sql`
        SELECT c.${sortColumn(query.sort)} AS value, c.caller_id AS id, c.${groupColumn} AS "group", c.hit,
          ${allOf(...filtersOutsideScan(query))} AS is_match
        FROM (${scan}) c`,
    );

  const readHitsSorted = async (query: DirectoryQuery, hits: readonly number[]) => {
    if (hits.length === 0) return [];
    const from = callersOfHits(hits);
    const { limit } = query;
    return query.search === null
      ? read(query, sortCallers(query, { from, limit }))
      : read(query, sortCallers({ ...query, cursor: null }, { from, ordered: orderOfIndex(query), limit }));
  };

  return { read, readPositions, readHitsSorted };
}

export function createDirectoryRepository(db: Database, limits = LIMITS) {
  const { read, readPositions, readHitsSorted } = createReader(db);

  const readByScan = async (query: DirectoryQuery): Promise<DirectoryPage> => {
    const filters = filtersOutsideScan(query);
    if (filters.length === 0) {
      const scan = scanCallers(query, query.limit);
      return scan ? { rows: await read(query, scan), scannedTo: null } : EMPTY_PAGE;
    }
    const found: number[] = [];
    let scannedTo = query.cursor;
    // The first rows are enough if at least half of the callers match.
    let count = Math.min(2 * query.limit, limits.scannedRows);
    for (let left = limits.scannedRows; left > 0; left -= count, count = left) {
      const scan = scanCallers({ ...query, cursor: scannedTo }, count);
      const scanned = scan ? await readPositions(query, scan) : [];
      found.push(...scanned.flatMap(({ hit, is_match }) => (is_match ? [hit] : [])));
      scannedTo = (scanned.length === count && scanned.at(-1)) || null;
      if (scannedTo === null || found.length >= query.limit) break;
    }
    const rows = await readHitsSorted(query, found.slice(0, query.limit));
    return { rows, scannedTo: rows.length === query.limit ? null : scannedTo };
  };

  const readBySearch = async (query: SearchQuery): Promise<DirectoryPage> => {
    const count = query.isMicroCapsOnly || mayHaveHigherFees(query) ? limits.hits : query.limit;
    const hits = await readHits(db, query, count);
    const rows = await readHitsSorted(query, hits);
    const last = hits[count - 1];
    const isShort = last !== undefined && rows.length < query.limit;
    return { rows, scannedTo: isShort ? { value: last, id: '' } : null };
  };

  return {
    async list(query: DirectoryQuery): Promise<DirectoryPage> {
      if (query.isPaidOnly && query.maxFeeLamports === 0n) return EMPTY_PAGE;
      const { search } = query;
      return search === null ? readByScan(query) : readBySearch({ ...query, search });
    },
  };
}

/** True if the maximum fee is inside a fee level, so that the last level has higher fees, too. */
const mayHaveHigherFees = ({ sort, maxFeeLamports }: DirectoryQuery) =>
  sort !== 'fee' && maxFeeLamports !== null && !isTopOfFeeLevel(maxFeeLamports);

const filtersOutsideScan = (query: DirectoryQuery): SQL[] =>
  query.isMicroCapsOnly || mayHaveHigherFees(query) ? filtersOf({ ...query, isMicroCapsOnly: false }) : [];
