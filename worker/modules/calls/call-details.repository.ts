import { sql } from 'drizzle-orm';
import type { CallQuote } from '#schema/contracts/calls.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { selectCalls, type CallRow } from './calls.repository.ts';

export interface CallUpdateRow {
  readonly id: string;
  readonly message: string;
  readonly created_at: number;
}

export interface CallQuoteRow {
  readonly side: CallQuote['side'];
  readonly source: string;
  readonly price: string | null;
  readonly failure: CallQuote['failure'];
  readonly is_recorded: number;
  readonly quoted_at: number;
  readonly block_id: number | null;
  readonly liquidity_usd: number | null;
}

export interface CallDetailRows {
  readonly call: CallRow;
  readonly updates: readonly CallUpdateRow[];
  readonly quotes: readonly CallQuoteRow[];
}

export type CallDetailsRepository = ReturnType<typeof createCallDetailsRepository>;

/** One call with what belongs to it. Whether the viewer may have it is not asked here. Times are unix ms. */
export function createCallDetailsRepository(db: Database) {
  return {
    /** The call as of one moment, its updates and its quotes oldest first. */
    async findDetail(id: string): Promise<CallDetailRows | null> {
      const [[call] = [], updates = [], quotes = []] = await runBatch(db, [
        sql`${selectCalls} WHERE k.id = ${id}`,
        sql`SELECT id, message, created_at FROM call_updates WHERE call_id = ${id} ORDER BY created_at, rowid`,
        sql`
          SELECT side, source, price, failure, is_recorded, quoted_at, block_id, liquidity_usd
          FROM price_quotes WHERE call_id = ${id} ORDER BY side = 'end', quoted_at, source`,
      ]);
      return call === undefined ? null : ({ call, updates, quotes } as unknown as CallDetailRows);
    },
  };
}
