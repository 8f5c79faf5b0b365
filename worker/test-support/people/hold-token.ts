import { query } from '../database/database.ts';

/** Stores the caller's holding of an active call's token, as if read from the chain. `amount` is in whole tokens. */
export async function holdToken({ callId, amount }: { callId: string; amount: string }): Promise<void> {
  const found = {
    decimals: 0,
    heldBefore: amount,
    bought: '0',
    spentLamports: '0',
    firstBoughtAt: null,
    acquired: '0',
    sold: '0',
    firstSoldAt: null,
    movedAway: '0',
  };
  await query(
    "UPDATE call_holdings SET due_at = NULL, covers = 'opening', state = 'complete', found = ? WHERE call_id = ?",
    JSON.stringify(found),
    callId,
  );
}
