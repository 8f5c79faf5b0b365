import { DAY_MS } from '#schema/constants/time.ts';
import { query } from './database.ts';

export interface LargeAccount {
  readonly callerId: string;
  readonly count: number;
  /** Unix ms. */
  readonly now: number;
}

/** Gives a caller this many ended calls with texts, free followers, and paid subscribers. */
export async function insertLargeAccount({ callerId, count, now }: LargeAccount): Promise<void> {
  // Numbers that accounts of other sizes don't have, so that a test can fill several.
  const rows = `WITH RECURSIVE n(i) AS (
    SELECT ${10 * count + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${11 * count})`;
  const insert = (into: string, values: string) =>
    query(`${rows} INSERT INTO ${into} SELECT ${values} FROM n`);
  const caller = `'${callerId}'`;
  const first = `(SELECT COALESCE(MAX(number), 0) FROM log_entries WHERE caller_id = ${caller})`;
  const amounts = '500000000, 450000000, 50000000';
  for (const kind of ['free', 'paid']) {
    await insert(
      'users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)',
      `'${kind}-' || i, '${kind}-' || i, '${kind}_' || i, 'First', 'Last', ${now}, ${now}`,
    );
  }
  await insert(
    `calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, thesis, end_price, ended_at,
      change_percent)`,
    `'call-' || i, ${caller}, 'mint-' || i, 'S' || i, 'Name', '1', i, 'A thesis', '2', i + 1, 100`,
  );
  await insert('call_updates (id, call_id, message, created_at)', `'update-' || i, 'call-' || i, 'Text', i`);
  await insert(
    'call_events (id, kind, call_id, caller_id, at, queued_at)',
    `'call_ended:call-' || i, 'call_ended', 'call-' || i, ${caller}, i, 1`,
  );
  await insert(
    'log_entries (caller_id, number, kind, call_id, subject_id, content, text_salt, at)',
    `${caller}, ${first} + i, 'opened', 'call-' || i, 'call-' || i, '{}', 'salt', i`,
  );
  await insert(
    'subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)',
    `'free-' || i, 'free-' || i, ${caller}, ${now} - 1, ${now} + ${20 * DAY_MS}, 'active', ${now}`,
  );
  await insert(
    `payment_intents (id, user_id, caller_id, reference, caller_address, platform_address, total_lamports,
      caller_lamports, platform_lamports, created_at, expires_at)`,
    `'p-' || i, 'paid-' || i, ${caller}, 'r' || i, 'payout', 'platform', ${amounts}, 1, 2`,
  );
  await insert(
    `payments (id, signature, intent_id, user_id, caller_id, payer_address, total_lamports, caller_lamports,
      platform_lamports, slot, paid_at, created_at)`,
    `'p-' || i, 's' || i, 'p-' || i, 'paid-' || i, ${caller}, 'payer', ${amounts}, 1, 1, ${now}`,
  );
  await insert(
    'payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)',
    `'g-' || i, 'p-' || i, 'granted', 1, ${now} - 1, ${now} + ${10 * DAY_MS} + i, ${now}`,
  );
  await insert(
    `subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, moves_from, status, created_at)`,
    `'paid-' || i, 'paid-' || i, ${caller}, 'p-' || i, ${now} - 1, ${now} + ${10 * DAY_MS} + i, ${now} - 1, 'active',
      ${now}`,
  );
  await query('UPDATE callers SET subscriber_count = ?2 WHERE caller_id = ?1', callerId, 2 * count);
}
