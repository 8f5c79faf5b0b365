/**
 * Tables of the nightly export. A table comes before the tables that it refers to: rows that are added during
 * the export then never lack the rows that they reference.
 */
export const BACKED_UP_TABLES = [
  'call_notes',
  'price_quotes',
  'price_marks',
  'call_events',
  'call_updates',
  'renewal_notices',
  'payment_notices',
  'payment_ledger',
  'refunds',
  'subscriptions',
  'silent_days',
  'fee_changes',
  'payment_orphans',
  'payments',
  'payment_broadcasts',
  'payment_intents',
  'payout_changes',
  'notification_mutes',
  'notification_opt_outs',
  'paper_follows',
  'acceptances',
  'telegram_links',
  'former_handles',
  'wallets',
  'devices',
  'call_holdings',
  'called_tokens',
  'calls',
  'callers',
  'ledger_checks',
  'unread_transactions',
  'failed_deliveries',
  'unpriced_mints',
  'hidden_texts',
  'pauses',
  'operator_audit',
  'reports',
  'price_closes',
  'log_entries',
  'log_anchors',
  'users',
] as const;

/** Tables that aren't exported, and the reason why they may be lost. */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  sessions: 'people sign in again, so a stolen backup opens no session',
  push_devices: 'belong to sessions; people turn notifications on again',
  api_keys: 'a restored key may be one that was revoked; people create new ones',
  webhooks: 'secrets; people save their address again',
  x_tokens: 'secrets; callers permit posting again',
  wallet_challenges: 'valid for ten minutes',
  attempts: 'rate limits, which fill up again',
  job_leases: 'the jobs begin from the start',
  job_failures: 'the next minute writes it again',
  endpoint_outages: 'the next minute writes it again',
  price_shards: 'belongs to the prices in KV',
  level_checks: 'prices are seen again within minutes',
  active_mints: 'follows from the active calls',
  caller_statistics: 'a cache of the ended calls',
  log_checkpoints: 'signed again from the entries, with the same roots',
  log_tiles: 'computed again from the entries',
  log_cosignatures: 'witnesses sign the next checkpoint',
};

/** The columns that order a table without rowids. */
export const KEYS: Readonly<Record<string, readonly string[]>> = {
  price_closes: ['mint', 'at'],
  price_marks: ['call_id', 'side'],
};
