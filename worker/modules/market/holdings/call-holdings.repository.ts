import { and, eq, sql } from 'drizzle-orm';
import { HOLDINGS_SUMMED_CALLS } from '#schema/constants.ts';
import type { HoldingsSummary, SummedHoldings } from '#schema/rules/calls/call-holdings.ts';
import { callHoldings } from '#schema/tables/call-holdings.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import type { Database } from '../../../shared/database.ts';
import { readFoundHoldings } from '../../../shared/found-holdings.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { columnsOf, present, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

const dueColumns = selection(
  columnsOf(calls, 'k', ['id', 'caller_id', 'token_mint', 'called_at', 'ended_at']),
  present(columnsOf(callHoldings, 'h', ['wallets', 'due_at', 'tries'])),
);

export type DueCall = SelectedRow<typeof dueColumns>;

type Reading = Partial<Pick<typeof callHoldings.$inferInsert, 'covers' | 'state' | 'found'>>;

export type CallHoldingsRepository = ReturnType<typeof createCallHoldingsRepository>;

export function createCallHoldingsRepository(db: Database) {
  /** Writes nothing if the call has ended meanwhile, because that changes `dueAt`. */
  const isStillDue = ({ id, due_at }: DueCall) =>
    and(eq(callHoldings.callId, id), eq(callHoldings.dueAt, due_at));

  return {
    /** Calls to read, the oldest first. */
    listDue: ({ until, limit }: { until: number; limit: number }): Promise<DueCall[]> =>
      selectRows(
        db,
        dueColumns,
        sql`
          SELECT ${dueColumns.list}
          FROM call_holdings h
          JOIN calls k ON k.id = h.call_id
          WHERE h.due_at IS NOT NULL AND h.due_at <= ${until}
          ORDER BY h.due_at
          LIMIT ${limit}`,
      ),

    store: (call: DueCall, reading: Reading): Statement =>
      db
        .update(callHoldings)
        .set({ ...reading, dueAt: null, ...(reading.covers === 'end' ? { wallets: '[]' } : {}) })
        .where(isStillDue(call)),

    retry: (call: DueCall, dueAt: number): Statement =>
      db
        .update(callHoldings)
        .set({ dueAt, tries: call.tries + 1 })
        .where(isStillDue(call)),

    /** The complete readings among the caller's newest ended calls. */
    async listNewest(callerId: string): Promise<SummedHoldings[]> {
      const rows = await db.all<{ called_at: number; found: string }>(sql`
        SELECT k.called_at, h.found
        FROM (
          SELECT id, called_at FROM calls
          WHERE caller_id = ${callerId} AND ended_at IS NOT NULL
          ORDER BY ended_at DESC, id DESC
          LIMIT ${HOLDINGS_SUMMED_CALLS}) k
        JOIN call_holdings h ON h.call_id = k.id
        WHERE h.covers = 'end' AND h.state = 'complete'`);
      return rows.map(({ called_at, found }) => ({ ...readFoundHoldings(found), calledAt: called_at }));
    },

    storeSummary: (callerId: string, summary: HoldingsSummary): Statement =>
      db
        .update(callers)
        .set({ holdings: JSON.stringify(summary) })
        .where(eq(callers.callerId, callerId)),
  };
}
