import { query } from '../database/database.ts';

/** Stores the caller's holding of an active call's token, as if read from the chain. `amount` is in whole tokens. */
export async function holdToken({ callId, amount }: { callId: string; amount: string }): Promise<void> {
  const found = {
    heldBefore: amount,
    movements: [{ at: '2026-01-01T00:00:00.000Z', kind: 'bought', amount, usd: 20.5 }],
  };
  await query(
    "UPDATE call_holdings SET due_at = NULL, read_until = 1, state = 'complete', found = ? WHERE call_id = ?",
    JSON.stringify(found),
    callId,
  );
}
