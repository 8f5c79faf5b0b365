import { sql, type SQL } from 'drizzle-orm';
import { splitBatches } from './batches.ts';

/** The maximum number of SELECTs that D1 allows in a compound SELECT. */
const MAX_COMPOUND_TERMS = 5;

export const UNION_ALL = sql.raw(' UNION ALL ');

/** Merges sorted SELECTs. SQLite reads one row ahead in each, unless a nested SELECT has a LIMIT. */
export function mergeSorted(selects: readonly SQL[], ordered: SQL): SQL {
  if (selects.length <= MAX_COMPOUND_TERMS) return sql.join([...selects], UNION_ALL);
  const size = Math.ceil(selects.length / MAX_COMPOUND_TERMS);
  const parts = splitBatches(selects, size).map(
    (part) => sql`SELECT * FROM (${mergeSorted(part, ordered)} ${ordered})`,
  );
  return sql.join(parts, UNION_ALL);
}
