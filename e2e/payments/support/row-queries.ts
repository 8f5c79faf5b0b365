export interface Rows {
  readonly subscriptions: readonly {
    id: string;
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
    paid_at: number;
  }[];
  readonly callers: readonly {
    caller_id: string;
    fee_lamports: number;
    payout_address: string;
    subscriber_count: number;
    earned_lamports: number;
    created_at: number;
    updated_at: number;
  }[];
  readonly silentDays: readonly { caller_id: string; at: number; since: number }[];
  /** The times at which callers opened, updated or ended calls themselves. */
  readonly acts: readonly { caller_id: string; at: number }[];
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
    reference: string;
    payment_id: string;
    signature: string | null;
    lamports: number | null;
    at: number | null;
  }[];
  readonly broadcasts: readonly {
    signature: string;
    intent_id: string;
    dead_at: number | null;
    landed_at: number | null;
  }[];
  readonly orphans: readonly {
    signature: string;
    intent_id: string | null;
    caller_parts: string;
    platform_lamports: number;
    paid_at: number;
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
    total_lamports: number;
    caller_lamports: number;
    platform_lamports: number;
    created_at: number;
    expires_at: number;
  }[];
}

/** The queries of all rows, by table. */
export const QUERIES: Record<keyof Rows, string> = {
  subscriptions: `SELECT id, subscriber_id, caller_id, payment_id, starts_at, ends_at, moves_from, status, created_at,
       finalized_at
     FROM subscriptions
     ORDER BY subscriber_id, caller_id, starts_at, ends_at`,
  payments: `SELECT id, signature, intent_id, user_id, caller_id, payer_address,
       total_lamports, caller_lamports, platform_lamports, paid_at
     FROM payments`,
  callers: `SELECT caller_id, fee_lamports, payout_address, subscriber_count, earned_lamports, created_at, updated_at
     FROM callers`,
  silentDays: 'SELECT caller_id, at, since FROM silent_days ORDER BY caller_id, at',
  acts: `SELECT e.caller_id, e.at FROM call_events e JOIN calls k ON k.id = e.call_id
     WHERE e.kind IN ('call_opened', 'call_update') OR (e.kind = 'call_ended' AND k.automatic_end IS NULL)`,
  ledger: 'SELECT seq, payment_id, kind, slot, starts_at, ends_at, at FROM payment_ledger ORDER BY seq',
  refunds: 'SELECT reference, payment_id, signature, lamports, at FROM refunds',
  broadcasts: 'SELECT signature, intent_id, dead_at, landed_at FROM payment_broadcasts',
  orphans: 'SELECT signature, intent_id, caller_parts, platform_lamports, paid_at FROM payment_orphans',
  dust: 'SELECT COALESCE(SUM(dust_lamports), 0) AS lamports FROM ledger_checks',
  intents: `SELECT id, reference, user_id, caller_id, caller_address, platform_address,
       total_lamports, caller_lamports, platform_lamports, created_at, expires_at
     FROM payment_intents`,
};
