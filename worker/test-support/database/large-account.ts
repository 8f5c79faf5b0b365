import { DAY_MS } from '#schema/constants/time.ts';
import { runScript } from './run-script.ts';

interface LargeAccount {
  readonly callerId: string;
  readonly count: number;
  /** Unix ms. */
  readonly now: number;
}

/** Gives a caller this many ended calls with texts, free followers, and paid subscribers. */
export async function insertLargeAccount({ callerId, count, now }: LargeAccount): Promise<void> {
  const caller = `'${callerId}'`;
  const amounts = '500000000, 450000000, 50000000';
  await runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    SELECT kind || '-' || i, kind || '-' || i, kind || '_' || i, 'First', 'Last', ${now}, ${now}
    FROM n, (SELECT 'free' AS kind UNION ALL SELECT 'paid');
    INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, thesis, end_price,
      ended_at, change_percent)
    SELECT 'call-' || i, ${caller}, 'mint-' || i, 'S' || i, 'Name', '1', i, 'A thesis', '2', i + 1, 100 FROM n;
    INSERT INTO call_updates (id, call_id, message, created_at)
    SELECT 'update-' || i, 'call-' || i, 'Text', i FROM n;
    INSERT INTO call_events (id, kind, call_id, caller_id, at)
    SELECT 'call_ended:call-' || i, 'call_ended', 'call-' || i, ${caller}, i FROM n;
    INSERT INTO log_entries (caller_id, number, kind, call_id, subject_id, content, text_salt, at)
    SELECT ${caller}, (SELECT COALESCE(MAX(number), 0) FROM log_entries WHERE caller_id = ${caller}) + i, 'opened',
      'call-' || i, 'call-' || i, '{"v":1}', 'salt', i FROM n;
    INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
    SELECT 'free-' || i, 'free-' || i, ${caller}, ${now} - 1, ${now} + ${20 * DAY_MS}, 'active', ${now} FROM n;
    INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address, fee_lamports, days,
      total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
    SELECT 'p-' || i, 'paid-' || i, ${caller}, 'r' || i, 'payout', 'platform', 500000000, 30, ${amounts}, 1, 2 FROM n;
    INSERT INTO payments (id, signature, intent_id, user_id, caller_id, payer_address, total_lamports, caller_lamports,
      platform_lamports, slot, paid_at, created_at)
    SELECT 'p-' || i, 's' || i, 'p-' || i, 'paid-' || i, ${caller}, 'payer', ${amounts}, 1, 1, ${now} FROM n;
    INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
    SELECT 'g-' || i, 'p-' || i, 'granted', 1, ${now} - 1, ${now} + ${10 * DAY_MS} + i, ${now} FROM n;
    INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, moves_from, status,
      created_at)
    SELECT 'paid-' || i, 'paid-' || i, ${caller}, 'p-' || i, ${now} - 1, ${now} + ${10 * DAY_MS} + i, ${now} - 1,
      'active', ${now} FROM n;
    UPDATE callers SET subscriber_count = ${2 * count} WHERE caller_id = ${caller};`,
    // Numbers that accounts of other sizes don't have, so that a test can fill several.
    { from: 10 * count + 1, count },
  );
}
