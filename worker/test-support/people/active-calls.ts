import { addDerivedRows } from '../derived-rows.ts';
import { testEnv } from '../test-app.ts';

export interface ActiveCallsOptions {
  readonly count: number;
  readonly callers?: number;
  readonly entryPrice?: string;
  readonly targetPrice?: string | null;
  /** Unix ms. */
  readonly calledAt: number;
}

/** Inserts callers and active calls directly, each call with its own mint. Returns the mints in order. */
export async function insertActiveCalls({
  count,
  callers = 100,
  entryPrice = '1',
  targetPrice = null,
  calledAt,
}: ActiveCallsOptions): Promise<string[]> {
  const mints = Array.from({ length: count }, (_, index) => mintOf(index));
  const people = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${callers})`;
  const run = (sql: string, ...values: unknown[]) => testEnv.DB.prepare(sql).bind(...values);
  await testEnv.DB.batch([
    run(
      `${people}
       INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
       SELECT 'user-' || i, 'x-' || i, 'handle_' || i, 'Caller', i, ?1, ?1 FROM n`,
      calledAt,
    ),
    run(
      `${people}
       INSERT INTO callers (caller_id, search_text, total_calls, created_at, updated_at)
       SELECT 'user-' || i, 'caller ' || i, 0, ?1, ?1 FROM n`,
      calledAt,
    ),
    run(
      `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, target_price)
       SELECT 'call-' || key, 'user-' || (key % ${callers}), value, 'T' || key, 'Token ' || key, ?2, ?3, ?4
       FROM json_each(?1)`,
      JSON.stringify(mints),
      entryPrice,
      calledAt,
      targetPrice,
    ),
  ]);
  await addDerivedRows();
  return mints;
}

/** The mint of the call with this index. */
export function mintOf(index: number): string {
  const digits = [...String(index).padStart(6, '0')].map((digit) => 'ABCDEFGHJK'[Number(digit)]).join('');
  return `Mint${digits}${'X'.repeat(33)}`;
}
