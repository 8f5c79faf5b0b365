import { inArray, sql } from 'drizzle-orm';
import { UNPRICED_END_MS } from '#schema/constants/market.ts';
import { unpricedMints } from '#schema/tables/prices.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { build } from '../../../shared/sql.ts';

/**
 * Time at which a source last saw a price of each mint (unix ms). Null if all sources responded without a price. Mints
 * that a failed source might price are left out.
 */
export type LastPricedAt = ReadonlyMap<string, number | null>;

/** Stores since when no source has priced a mint. Writes a row only when this time changes. */
export function recordSightings({ sightings, at }: { sightings: LastPricedAt; at: number }): Statement[] {
  const isPriced = (seenAt: number | null): seenAt is number =>
    seenAt !== null && seenAt > at - UNPRICED_END_MS;
  const priced = [...sightings].filter(([, seenAt]) => isPriced(seenAt)).map(([mint]) => mint);
  const unpriced = [...sightings]
    .filter(([, seenAt]) => !isPriced(seenAt))
    .map(([mint, seenAt]) => [mint, seenAt ?? at]);
  return [
    build.delete(unpricedMints).where(inArray(unpricedMints.mint, valuesOf(priced))),
    sql`
      INSERT OR IGNORE INTO unpriced_mints (mint, since)
      SELECT value ->> 0, value ->> 1
      FROM json_each(${JSON.stringify(unpriced)})`,
  ];
}
