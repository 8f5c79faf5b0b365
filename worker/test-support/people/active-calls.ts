import { query } from '../database/database.ts';
import { runScript } from '../database/run-script.ts';

interface ActiveCallsOptions {
  readonly count: number;
  readonly callers?: number;
  readonly entryPrice?: string;
  readonly targetPrice?: string | null;
  readonly stopPrice?: string | null;
  /** Unix ms. */
  readonly calledAt: number;
}

/** Inserts callers and active calls directly, each call with its own mint. Returns the mints in order. */
export async function insertActiveCalls({
  count,
  callers = 100,
  entryPrice = '1',
  targetPrice = null,
  stopPrice = null,
  calledAt,
}: ActiveCallsOptions): Promise<string[]> {
  const mints = Array.from({ length: count }, (_, index) => mintOf(index));
  await runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    SELECT 'user-' || i, 'x-' || i, 'handle_' || i, 'Caller', i, ${calledAt}, ${calledAt} FROM n;
    INSERT INTO callers (caller_id, search_text, total_calls, created_at, updated_at)
    SELECT 'user-' || i, 'caller ' || i, 0, ${calledAt}, ${calledAt} FROM n;`,
    { from: 0, count: callers },
  );
  await query(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, target_price, stop_price)
     SELECT 'call-' || key, 'user-' || (key % ${callers}), value, 'T' || key, 'Token ' || key, ?2, ?3, ?4, ?5
     FROM json_each(?1)`,
    JSON.stringify(mints),
    entryPrice,
    calledAt,
    targetPrice,
    stopPrice,
  );
  return mints;
}

/** The mint of the call with this index. */
export function mintOf(index: number): string {
  const digits = [...String(index).padStart(6, '0')].map((digit) => 'ABCDEFGHJK'[Number(digit)]).join('');
  return `Mint${digits}${'X'.repeat(33)}`;
}
