import { sql, type SQL } from 'drizzle-orm';
import { searchTokens } from '#schema/rules/text/search.ts';
import { readWithSharedParams, type Database } from '../../../shared/database.ts';
import { UNION_ALL } from '../../../shared/merge-sorted.ts';

/** Selects the rows of all callers who have the term, as `hit`. May also select callers who don't have it. */
export function selectHits(term: string, limit: number, condition = sql`1 = 1`): SQL {
  return sql`
    SELECT rowid AS hit
    FROM callers_search
    WHERE callers_search MATCH ${searchTokens(term).join(' ')} AND ${condition}
    LIMIT ${limit}`;
}

/** Limits the number of rows that a page of the directory may read. */
export interface DirectoryLimits {
  /**
   * If a search has more hits than this, it reads the directory in its order instead. There, it soon finds
   * callers with a common term.
   */
  readonly hits: number;
  /** If a page isn't full after this many rows, it ends there. The next page continues after these rows. */
  readonly scannedRows: number;
  /** Like `scannedRows`, for a page without a search. */
  readonly scannedRowsWithoutSearch: number;
  /** To estimate the number of hits, at most this many hits are counted in each part of the table. */
  readonly sample: number;
  /** If at most this many callers match the filters, a page reads all of them. */
  readonly few: number;
}

const PARTS = 4;

export interface SearchOptions {
  readonly db: Database;
  /** Normalized, not empty. */
  readonly term: string;
  readonly limits: DirectoryLimits;
  /** The number of callers on a page. */
  readonly pageSize: number;
}

interface Estimate {
  readonly callers: number;
  readonly hits: number;
  /** True if all hits were counted. */
  readonly isExact: boolean;
}

/**
 * Estimates the number of hits from the first hits in each quarter of the table. Reads a limited number of
 * rows.
 */
async function estimateHits({ db, term, limits: { sample } }: SearchOptions): Promise<Estimate> {
  const parts = Array.from({ length: PARTS }, (_, part) => {
    const isInPart = sql.raw(
      `rowid > (SELECT n * ${part} / ${PARTS} FROM size) AND rowid <= (SELECT n * ${part + 1} / ${PARTS} FROM size)`,
    );
    return sql`
      SELECT COUNT(*) AS hits, MAX(hit) - (SELECT n * ${sql.raw(`${part} / ${PARTS}`)} FROM size) AS span
      FROM (${selectHits(term, sample, isInPart)})`;
  });
  const rows = (await readWithSharedParams(
    db,
    sql`
      WITH size AS MATERIALIZED (SELECT MAX(rowid) AS n FROM callers)
      SELECT COALESCE((SELECT n FROM size), 0) AS callers, hits, span
      FROM (${sql.join(parts, UNION_ALL)})`,
  )) as unknown as readonly { callers: number; hits: number; span: number | null }[];
  const callers = rows[0]?.callers ?? 0;
  const estimates = rows.map(({ hits, span }) =>
    hits < sample || span === null ? hits : (hits * callers) / PARTS / span,
  );
  return {
    callers,
    hits: estimates.reduce((sum, hits) => sum + hits, 0),
    isExact: rows.every(({ hits }) => hits < sample),
  };
}

/**
 * Decides which way of searching reads fewer rows. With a rare term, this is to read all hits. With a common
 * term, this is to read the directory in its order until the page is full.
 */
export async function shouldReadHits(options: SearchOptions): Promise<boolean> {
  const { db, term, limits, pageSize } = options;
  const { callers, hits, isExact } = await estimateHits(options);
  if (isExact) return true;
  const scannedRows = (pageSize * callers) / hits;
  // Hits are read twice. If their number is only an estimate, they are also counted first.
  const isCheaper = 3 * hits < scannedRows || scannedRows > limits.scannedRows;
  if (!isCheaper || hits > limits.hits) return false;
  const [counted] = await readWithSharedParams(
    db,
    sql`SELECT COUNT(*) AS hits FROM (${selectHits(term, limits.hits + 1)})`,
  );
  return Number(counted?.['hits']) <= limits.hits;
}
