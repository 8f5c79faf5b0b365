import { sql } from 'drizzle-orm';
import { CALCULATOR_CALLS } from '#schema/constants.ts';
import type { CopiedCall } from '#schema/contracts/callers.ts';
import type { Database } from '../../../shared/database.ts';
import { markOf, type LoggedMark } from '../../../shared/log-entries.ts';

interface Row extends Pick<
  CopiedCall,
  'id' | 'tokenSymbol' | 'endPrice' | 'changePercent' | 'countedChange'
> {
  readonly calledAt: number;
  readonly endedAt: number;
  readonly open: string | null;
  readonly end: string | null;
}

/** A caller's newest CALCULATOR_CALLS ranked calls whose marks are recorded, newest end first. Reads three rows for each. */
export async function listCopiedCalls(db: Database, callerId: string): Promise<CopiedCall[]> {
  const rows = await db.all<Row>(sql`
    SELECT k.id, k.token_symbol AS tokenSymbol, k.called_at AS calledAt, k.ended_at AS endedAt,
      k.end_price AS endPrice, k.change_percent AS changePercent,
      COALESCE(k.counted_change, k.change_percent) AS countedChange,
      ${markOf('open')} AS open, ${markOf('end')} AS "end"
    FROM calls k INDEXED BY calls_results
    WHERE k.caller_id = ${callerId} AND k.follower_rule IS NOT NULL AND k.unranked_reason IS NULL
    ORDER BY k.ended_at DESC, k.id DESC
    LIMIT ${CALCULATOR_CALLS}`);
  return rows.map(({ calledAt, endedAt, open, end, ...call }) => ({
    ...call,
    callTimestamp: new Date(calledAt).toISOString(),
    endTimestamp: new Date(endedAt).toISOString(),
    open: readMark(open),
    end: readMark(end),
  }));
}

function readMark(json: string | null): CopiedCall['open'] {
  if (json === null) return null;
  const { price, liquidityUsd, solPriceUsd } = JSON.parse(json) as LoggedMark;
  return { price, liquidityUsd, solPriceUsd };
}
