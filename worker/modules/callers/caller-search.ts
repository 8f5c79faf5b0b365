import { sql, type SQL } from 'drizzle-orm';
import { searchTokens } from '#schema/rules/search.ts';
import { readWithSharedParams, type Database } from '../../shared/database.ts';

/** Selects the rows of the callers that may have the term, as `hit`. A caller who has the term is always one of them. */
export function selectHits(term: string, limit: number, condition = sql`1 = 1`): SQL {
  return sql`
    SELECT rowid AS hit
    FROM callers_search
    WHERE callers_search MATCH ${searchTokens(term).join(' ')} AND ${condition}
    LIMIT ${limit}`;
}

/** How many rows a page of the directory may read. */
export interface DirectoryLimits {
  /** A search with more hits than this reads the directory in its order, where it finds common terms soon. */
  readonly hits: number;
  /** A page that isn't full after this many rows ends there, and the next page goes on. */
  readonly scannedRows: number;
  /** The same for a page without a search. */
  readonly scannedRowsWithoutSearch: number;
  /** How many hits are counted in each part of the table to estimate their number. */
  readonly sample: number;
  /** If the filters leave at most so many callers, a page reads all of them. */
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

/** Estimates the number of hits from the first ones in each quarter of the table. Reads a bounded number of rows. */
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
      FROM (${sql.join(parts, sql` UNION ALL `)})`,
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
 * Decides how a page with a search reads fewer rows: all hits of a rare term, or the directory in its order until enough
 * callers have a common one.
 */
export async function shouldReadHits(options: SearchOptions): Promise<boolean> {
  const { db, term, limits, pageSize } = options;
  const { callers, hits, isExact } = await estimateHits(options);
  if (isExact) return true;
  const scannedRows = (pageSize * callers) / hits;
  // Hits are read twice, and counted before if their number is an estimate.
  const isCheaper = 3 * hits < scannedRows || scannedRows > limits.scannedRows;
  if (!isCheaper || hits > limits.hits) return false;
  const [counted] = await readWithSharedParams(
    db,
    sql`SELECT COUNT(*) AS hits FROM (${selectHits(term, limits.hits + 1)})`,
  );
  return Number(counted?.['hits']) <= limits.hits;
}
