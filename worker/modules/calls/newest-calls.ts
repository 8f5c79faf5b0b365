import { sql, type SQL } from 'drizzle-orm';

export interface NewestCallsQuery {
  readonly callerIds: readonly string[];
  readonly limit: number;
}

interface CallOrder {
  /** An index of `caller_id`, the time and the tiebreak. It contains only the listed calls. */
  readonly index: SQL;
  readonly isListed: SQL;
  readonly time: SQL;
  readonly tiebreak: SQL;
  /** A text with the same order as the tiebreak. */
  readonly text: SQL;
  readonly tiebreakOf: (text: SQL) => SQL;
}

const ACTIVE: CallOrder = {
  index: sql`calls_active`,
  isListed: sql`ended_at IS NULL`,
  time: sql`called_at`,
  tiebreak: sql`rowid`,
  text: sql`printf('%016d', rowid)`,
  tiebreakOf: (text) => sql`CAST(${text} AS INTEGER)`,
};

const ENDED: CallOrder = {
  index: sql`calls_history`,
  isListed: sql`ended_at IS NOT NULL`,
  time: sql`ended_at`,
  tiebreak: sql`id`,
  text: sql`id`,
  tiebreakOf: (text) => text,
};

/**
 * A common table expression, and the joins that read its calls as `k` and their callers as `u`. SQLite returns
 * the rows newest first, in the order in which they leave its queue. Sorting them again would count as reading
 * them again.
 */
export interface NewestCalls {
  readonly with: SQL;
  readonly from: SQL;
}

/**
 * Merges the newest calls of several callers: takes the newest call of all, then looks up the next call of the
 * same caller. Reads about one index entry per caller and per listed call, however many calls the callers have.
 * SQLite keeps the rows of a recursive expression with ORDER BY in a priority queue.
 */
function mergeNewest({ callerIds, limit }: NewestCallsQuery, order: CallOrder): NewestCalls {
  const { index, isListed, time, tiebreak, text, tiebreakOf } = order;
  const position = {
    at: sql`CAST(substr(newest.position, 1, 13) AS INTEGER)`,
    tiebreak: tiebreakOf(sql`substr(newest.position, 14)`),
  };
  const newestOf = (callerId: SQL, condition: SQL) => sql`(
    SELECT printf('%013d', ${time}) || ${text}
    FROM calls INDEXED BY ${index}
    WHERE caller_id = ${callerId} AND ${isListed} ${condition}
    ORDER BY ${time} DESC, ${tiebreak} DESC
    LIMIT 1)`;
  const isOlder = sql`AND (${time}, ${tiebreak}) < (${position.at}, ${position.tiebreak})`;
  return {
    with: sql`
      WITH RECURSIVE newest(caller_id, position) AS (
        SELECT value, ${newestOf(sql`value`, sql``)}
        FROM json_each(${JSON.stringify(callerIds)})
        UNION ALL
        SELECT newest.caller_id, ${newestOf(sql`newest.caller_id`, isOlder)}
        FROM newest
        WHERE newest.position IS NOT NULL
        ORDER BY 2 DESC
        LIMIT ${limit})`,
    from: sql`
      FROM newest
      CROSS JOIN calls k ON k.${tiebreak} = ${position.tiebreak}
      CROSS JOIN users u ON u.id = k.caller_id`,
  };
}

export const newestActive = (query: NewestCallsQuery): NewestCalls => mergeNewest(query, ACTIVE);

export const newestEnded = (query: NewestCallsQuery): NewestCalls => mergeNewest(query, ENDED);
