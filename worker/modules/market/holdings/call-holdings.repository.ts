import { and, eq, sql } from 'drizzle-orm';
import { HOLDINGS_AFTER_MS, HOLDINGS_SUMMED_CALLS } from '#schema/constants/market.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type {
  FoundHoldings,
  HoldingsSummary,
  PricesAt,
  SummedHoldings,
} from '#schema/rules/calls/call-holdings.ts';
import { callHoldings } from '#schema/tables/call-holdings.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { columnsOf, present, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

const dueColumns = selection(
  columnsOf(calls, 'k', ['id', 'caller_id', 'token_mint', 'entry_price', 'called_at', 'ended_at']),
  present(columnsOf(callHoldings, 'h', ['wallets', 'due_at', 'tries'])),
);

export type DueCall = SelectedRow<typeof dueColumns>;

export interface Reading extends Required<Pick<typeof callHoldings.$inferInsert, 'state'>> {
  readonly found: FoundHoldings | null;
  readonly until: number;
}

export function createCallHoldingsRepository(db: Database) {
  /** Writes nothing if the call has ended meanwhile, because that changes `dueAt`. */
  const isStillDue = ({ id, due_at }: DueCall) =>
    and(eq(callHoldings.callId, id), eq(callHoldings.dueAt, due_at));

  return {
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

    /**
     * The recorded prices at these times (unix ms). The token's are from this call alone: others would show that
     * somebody else has a call on it.
     */
    async listPrices(call: DueCall, times: readonly number[]): Promise<ReadonlyMap<number, PricesAt>> {
      const rows = await db.all<PricesAt & { at: number }>(sql`
        SELECT
          t.value AS at,
          COALESCE((
            SELECT price FROM price_closes
            WHERE mint = ${call.token_mint} AND at BETWEEN ${call.called_at} AND MIN(t.value, ${call.ended_at ?? Number.MAX_SAFE_INTEGER})
            ORDER BY at DESC
            LIMIT 1), ${call.entry_price}) AS token,
          (SELECT price FROM price_closes
            WHERE mint = ${WRAPPED_SOL_MINT} AND at BETWEEN t.value - ${DAY_MS} AND t.value
            ORDER BY at DESC
            LIMIT 1) AS sol
        FROM json_each(${JSON.stringify([...new Set(times)])}) t`);
      return new Map(rows.map(({ at, token, sol: solPrice }) => [at, { token, sol: solPrice }]));
    },

    /** After the reading at the call's end, another one is due. If it failed, what was found before stays. */
    store(call: DueCall, { state, found, until }: Reading): Statement {
      const last = call.ended_at === null ? null : call.ended_at + HOLDINGS_AFTER_MS;
      const isLast = state === 'no_wallet' || (last !== null && until >= last);
      return db
        .update(callHoldings)
        .set({
          ...(state === 'unread'
            ? {
                state: sql`COALESCE(${callHoldings.state}, ${state})`,
                readUntil: sql`COALESCE(${callHoldings.readUntil}, ${until})`,
              }
            : { state, found, readUntil: until }),
          dueAt: isLast ? null : last,
          tries: 0,
          ...(isLast ? { wallets: '[]' } : {}),
        })
        .where(isStillDue(call));
    },

    retry: (call: DueCall, dueAt: number): Statement =>
      db
        .update(callHoldings)
        .set({ dueAt, tries: call.tries + 1 })
        .where(isStillDue(call)),

    async listNewest(callerId: string): Promise<SummedHoldings[]> {
      const rows = await db.all<{ called_at: number; ended_at: number; found: JsonText<FoundHoldings> }>(sql`
        SELECT k.called_at, k.ended_at, h.found
        FROM (
          SELECT id, called_at, ended_at FROM calls
          WHERE caller_id = ${callerId} AND ended_at IS NOT NULL
          ORDER BY ended_at DESC, id DESC
          LIMIT ${HOLDINGS_SUMMED_CALLS}) k
        JOIN call_holdings h ON h.call_id = k.id
        WHERE h.read_until >= k.ended_at AND h.found IS NOT NULL`);
      return rows.map(({ called_at, ended_at, found }) => ({
        ...readJson(found),
        calledAt: called_at,
        endedAt: ended_at,
      }));
    },

    storeSummary: (callerId: string, summary: HoldingsSummary): Statement =>
      db.update(callers).set({ holdings: summary }).where(eq(callers.callerId, callerId)),
  };
}
