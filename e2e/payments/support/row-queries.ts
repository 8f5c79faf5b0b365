export interface Rows {
  readonly subscriptions: readonly {
    subscriber_id: string;
    caller_id: string;
    payment_id: string | null;
    starts_at: number;
    ends_at: number | null;
    moves_from: number | null;
    status: 'active' | 'expired';
    created_at: number;
    finalized_at: number | null;
  }[];
  readonly payments: readonly {
    id: string;
    signature: string;
    intent_id: string;
    user_id: string;
    caller_id: string;
    payer_address: string;
    total_lamports: number;
    caller_lamports: number;
    platform_lamports: number;
  }[];
  readonly callers: readonly {
    caller_id: string;
    fee_lamports: number;
    payout_address: string;
    subscriber_count: number;
    paying_count: number;
    earned_lamports: number;
    deletes_at: number | null;
    created_at: number;
    updated_at: number;
  }[];
  readonly silentDays: readonly { caller_id: string; at: number; since: number }[];
  /** The times at which callers opened, updated or ended calls themselves. */
  readonly acts: readonly { caller_id: string; at: number }[];
  readonly ended: readonly { caller_id: string; ended_at: number }[];
  readonly ledger: readonly {
    seq: number;
    payment_id: string;
    kind: 'granted' | 'finalized' | 'revoked' | 'moved' | 'refunded';
    slot: number | null;
    starts_at: number | null;
    ends_at: number | null;
    at: number;
  }[];
  readonly refunds: readonly {
    payment_id: string;
    reference: string;
    asked_at: number | null;
    asked_opened_at: number | null;
  }[];
  readonly refundTransfers: readonly { signature: string; payment_id: string; lamports: number }[];
  /** Callers whose new fee hasn't reached all subscribers. */
  readonly feeChanges: readonly { caller_id: string }[];
  readonly broadcasts: readonly {
    signature: string;
    intent_id: string;
    created_at: number;
    dead_at: number | null;
  }[];
  readonly orphans: readonly {
    signature: string;
    caller_parts: string;
    platform_lamports: number;
  }[];
  /** Amounts too small to list, summed over all daily checks. */
  readonly dust: readonly { lamports: number }[];
  readonly intents: readonly {
    id: string;
    reference: string;
    user_id: string;
    caller_id: string;
    caller_address: string;
    platform_address: string;
    fee_lamports: number;
    days: number;
    total_lamports: number;
    caller_lamports: number;
    platform_lamports: number;
    expires_at: number;
  }[];
}

/** The queries of all rows, by table. */
export const QUERIES: Record<keyof Rows, string> = {
  subscriptions: `SELECT subscriber_id, caller_id, payment_id, starts_at, ends_at, moves_from, status, created_at,
       finalized_at
     FROM subscriptions
     ORDER BY subscriber_id, caller_id, starts_at, ends_at`,
  payments: 'SELECT * FROM payments',
  callers: `SELECT caller_id, fee_lamports, payout_address, subscriber_count, paying_count, earned_lamports, deletes_at,
       created_at, updated_at
     FROM callers`,
  silentDays: 'SELECT caller_id, at, since FROM silent_days ORDER BY caller_id, at',
  acts: `SELECT e.caller_id, e.at FROM call_events e JOIN calls k ON k.id = e.call_id
     WHERE e.kind IN ('call_opened', 'call_update') OR (e.kind = 'call_ended' AND k.automatic_end IS NULL)`,
  ended: 'SELECT caller_id, ended_at FROM calls WHERE ended_at IS NOT NULL',
  ledger: 'SELECT * FROM payment_ledger ORDER BY seq',
  refunds: 'SELECT * FROM refunds',
  refundTransfers: 'SELECT * FROM refund_transfers',
  feeChanges: 'SELECT caller_id FROM fee_changes',
  broadcasts: 'SELECT * FROM payment_broadcasts',
  orphans: 'SELECT * FROM payment_orphans',
  dust: 'SELECT COALESCE(SUM(dust_lamports), 0) AS lamports FROM ledger_checks',
  intents: 'SELECT * FROM payment_intents',
};
