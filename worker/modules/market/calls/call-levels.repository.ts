import { eq, lte, sql, type SQL } from 'drizzle-orm';
import { LEVEL_SIGHTING_MS } from '#schema/constants/market.ts';
import { callEvents } from '#schema/tables/notifications.ts';
import { levelChecks } from '#schema/tables/prices.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { recordEach } from '../../log/facts.repository.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { deleteFirst, hasNoRow, part } from '../../../shared/sql.ts';
import type { SeenPrices } from '../prices/price-closes.repository.ts';

const PURGED_PER_RUN = 1_000;
/** More rows than the purge deletes, because outdated rows that aren't deleted yet may come first. */
const DUE_READ_PER_RUN = 2_000;

/** Confirmed prices by mint. */
export interface ConfirmedPrices {
  readonly prices: ReadonlyMap<string, string>;
  /** Calls opened after this time are left out. */
  readonly requestedAt: number;
  readonly now: number;
  readonly limit: number;
}

interface Postponement {
  readonly mints: readonly string[];
  readonly now: number;
  /** The bounds of the pause, in ms. */
  readonly least: number;
  readonly most: number;
}

export function createCallLevelsRepository(db: Database) {
  return {
    /** The mints whose checks are due, the longest first. */
    async listDue({ now, limit }: { now: number; limit: number }): Promise<string[]> {
      const rows = await db.all<{ mint: string }>(sql`
        SELECT mint
        FROM (
          SELECT mint, seen_at, due_at
          FROM level_checks
          WHERE due_at <= ${now}
          ORDER BY due_at, mint
          LIMIT ${DUE_READ_PER_RUN})
        WHERE seen_at > ${now - LEVEL_SIGHTING_MS}
        ORDER BY due_at, mint
        LIMIT ${limit}`);
      return rows.map(({ mint }) => mint);
    },

    /** Stores the levels that confirmed prices reach, and returns their calls. Each level is stored once. */
    recordHits: ({ prices, requestedAt, now, limit }: ConfirmedPrices): Statement => sql`
      INSERT INTO call_events (id, kind, call_id, caller_id, level, price, at)
      SELECT ${EVENT_ID}, 'level_hit', r.id, r.caller_id, r.level, r.price, ${now}
      FROM ${reachedLevels({ prices: [...prices], at: requestedAt })}
      ORDER BY r.called_at, r.id
      LIMIT ${limit}
      RETURNING call_id`,

    /** Tells the followers, and the callers themselves, of the hits that `recordHits` has just stored. */
    recordFacts({ prices, now }: Pick<ConfirmedPrices, 'prices' | 'now'>): Statement[] {
      const hits = sql`
        SELECT e.at, e.call_id || ':' || e.level AS subject, e.caller_id AS user_id
        FROM calls k
        JOIN call_events e ON e.id IN ('level_hit:' || k.id || ':target', 'level_hit:' || k.id || ':stop')
        WHERE k.token_mint IN ${valuesOf([...prices.keys()])} AND k.ended_at IS NULL AND e.at = ${now}`;
      return [recordEach('level_hit', hits), recordEach('own_level_hit', hits)];
    },

    forgetOf: (callIds: readonly string[]): Statement => sql`
      DELETE FROM level_checks
      WHERE mint IN (SELECT token_mint FROM calls WHERE id IN ${valuesOf(callIds)})`,

    /** The next pause is as long as the time since the first sighting, within the bounds. */
    postpone: ({ mints, now, least, most }: Postponement): Statement => sql`
      UPDATE level_checks SET due_at = ${now} + MIN(MAX(${now} - since, ${least}), ${most})
      WHERE mint IN ${valuesOf(mints)}`,

    purge: (now: number): Statement =>
      deleteFirst(levelChecks, lte(levelChecks.seenAt, now - LEVEL_SIGHTING_MS), PURGED_PER_RUN),
  };
}

const EVENT_ID = part("'level_hit:' || r.id || ':' || r.level");
const IS_NEW = hasNoRow(callEvents, eq(callEvents.id, EVENT_ID));

/** Levels `r` of active calls that are older than the prices, and that these reach for the first time. */
const reachedLevels = ({ prices, at }: SeenPrices): SQL => sql`(
    WITH p AS ${seen(prices)}
    SELECT p.mint, p.price, k.id, k.caller_id, k.called_at, 'target' AS level
    FROM p CROSS JOIN calls k INDEXED BY calls_targets
    WHERE k.token_mint = p.mint AND k.ended_at IS NULL AND k.target_price IS NOT NULL
      AND CAST(k.target_price AS REAL) <= CAST(p.price AS REAL)
    UNION ALL
    SELECT p.mint, p.price, k.id, k.caller_id, k.called_at, 'stop'
    FROM p CROSS JOIN calls k INDEXED BY calls_stops
    WHERE k.token_mint = p.mint AND k.ended_at IS NULL AND k.stop_price IS NOT NULL
      AND CAST(k.stop_price AS REAL) >= CAST(p.price AS REAL)
  ) r
  WHERE r.called_at <= ${at} AND ${IS_NEW}`;

const seen = (prices: SeenPrices['prices']) => sql`(
  SELECT value ->> 0 AS mint, value ->> 1 AS price
  FROM json_each(${JSON.stringify(prices)}))`;

/** Stores the mints of active calls with a level that these prices reach for the first time. A later check confirms it. */
export const noteReached = ({ prices, at }: SeenPrices): Statement => sql`
  INSERT INTO level_checks (mint, since, seen_at, due_at)
  SELECT DISTINCT r.mint, ${at}, ${at}, ${at}
  FROM ${reachedLevels({ prices, at })}
  ON CONFLICT (mint) DO UPDATE SET seen_at = excluded.seen_at`;

const IS_NEW_PEAK = part('CAST(p.price AS REAL) > CAST(COALESCE(peak_price, entry_price) AS REAL)');

/**
 * Raises the peaks of active calls to these prices, if the calls are older than the prices. A call's first peak is at
 * least its entry price. Returns one row per raised peak.
 */
export const raisePeaks = ({ prices, at }: SeenPrices): Statement => sql`
  UPDATE calls
  SET peak_price = iif(${IS_NEW_PEAK}, p.price, entry_price),
    peak_at = iif(${IS_NEW_PEAK}, ${at}, called_at)
  FROM ${seen(prices)} p
  WHERE calls.token_mint = p.mint
    AND calls.ended_at IS NULL
    AND calls.called_at <= ${at}
    AND (calls.peak_price IS NULL OR CAST(p.price AS REAL) > CAST(calls.peak_price AS REAL))
  RETURNING id`;
