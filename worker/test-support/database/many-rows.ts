import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import type { AccessEnvironment } from '../access/access-environment.ts';
import { runScript } from './run-script.ts';

interface ManyRowsOptions {
  readonly environment: AccessEnvironment;
  /** The number of rows that every table gets. */
  readonly count: number;
}

const SALT = btoa('s'.repeat(32));
/** The number of additional callers that the subscriber follows. */
const FOLLOWED = 80;
const AMOUNTS = '500000000, 450000000, 50000000';

/**
 * Adds `count` rows to every table. Most rows belong to unrelated users. The environment's owner also gets `count`
 * ended calls, followers, earnings and messages, because one user may have any number of these.
 */
export async function insertManyRows({ environment, count }: ManyRowsOptions): Promise<void> {
  const now = environment.app.clock.now();
  const owner = `'${environment.owner.id}'`;
  const subscriber = `'${environment.subscriber.id}'`;
  const followed = `(SELECT i FROM n WHERE i <= ${FOLLOWED})`;
  const random100Days = `(i * 7919) % ${100 * 86_400} * 1000`;
  const endedCall = `id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
    change_percent`;
  /** Payments from one person of each row to another. */
  const payments = (
    key: string,
    { from, payer, caller }: { from: string; payer: string; caller: string },
  ) => `
    INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address, fee_lamports, days,
      total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
    SELECT '${key}-' || i, ${payer}, ${caller}, '${key}-reference-' || i, 'payout', 'platform', 500000000, 30, ${AMOUNTS}, ${now} - i,
      ${now} + i FROM ${from};
    INSERT INTO payments (id, signature, intent_id, user_id, caller_id, payer_address, total_lamports, caller_lamports,
      platform_lamports, slot, paid_at, created_at)
    SELECT '${key}-' || i, '${key}-signature-' || i, '${key}-' || i, ${payer}, ${caller}, 'payer', ${AMOUNTS}, 1,
      ${now} - i, ${now} - i FROM ${from};
    INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
    SELECT '${key}-granted-' || i, '${key}-' || i, 'granted', 1, ${now} - ${DAY_MS}, ${now} + ${20 * DAY_MS} + i, ${now}
    FROM ${from};
    INSERT INTO payment_ledger (id, payment_id, kind, slot, at)
    SELECT '${key}-settled-' || i, '${key}-' || i, 'finalized', 1, ${now} FROM ${from};
    INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at,
      finalized_at)
    SELECT '${key}-' || i, ${payer}, ${caller}, '${key}-' || i, ${now} - ${DAY_MS}, ${now} + ${20 * DAY_MS} + i,
      'active', ${now} - i, ${now} FROM ${from};`;
  await runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    SELECT ${ID}, 'x' || i, 'handle' || i, 'First', 'Last', ${now}, ${now} FROM n;
    INSERT INTO callers (caller_id, fee_lamports, payout_address, search_text, win_rate, avg_return, proven,
      subscriber_count, created_at, updated_at)
    SELECT ${ID}, (i % 2) * 500000000, 'payout' || i, 'first last handle' || i, i % 90, i % 50, i % 70, i % 9, ${now},
      ${now} FROM n;
    -- One ended and one active call for each unrelated user.
    INSERT INTO calls (${endedCall})
    SELECT 'ended-' || i, ${ID}, 'Old' || i, 'O' || i, 'Old', '1', ${now} - ${200 * DAY_MS}, '2',
      ${now} - ${random100Days}, 100 FROM n;
    INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, target_price)
    SELECT 'active-' || i, ${ID}, 'Mint' || replace(printf('%07d', i), '0', 'z') || '${'X'.repeat(32)}', 'A' || i,
      'Active', '1', ${now} - i * 1000, '3' FROM n;
    INSERT INTO calls (${endedCall})
    SELECT 'owned-' || i, ${owner}, 'Own' || i, 'W' || i, 'Own', '1', ${now} - ${200 * DAY_MS}, '2',
      ${now} - ${DAY_MS} - ${random100Days}, 100 FROM n;
    INSERT INTO price_quotes (call_id, side, source, price, is_recorded, quoted_at)
    SELECT 'owned-' || i, 'open', 'jupiter', '1', 1, ${now} FROM n;
    INSERT INTO price_marks (call_id, side, price, source, seen_at)
    SELECT 'owned-' || i, 'open', '1', 'jupiter', ${now} FROM n;
    INSERT INTO call_updates (id, call_id, message, created_at)
    SELECT 'update-' || i, 'active-' || i, 'Text', ${now} FROM n;
    INSERT INTO call_events (id, kind, call_id, caller_id, at)
    SELECT 'call_ended:owned-' || i, 'call_ended', 'owned-' || i, ${owner}, ${now} - i * ${DAY_MS} FROM n;
    ${payments('paid', { from: 'n', payer: ID, caller: owner })}
    ${payments('mine', { from: followed, payer: subscriber, caller: ID })}
    INSERT INTO payment_broadcasts (signature, intent_id, created_at, dead_at)
    SELECT 'paid-signature-' || i, 'paid-' || i, ${now} - i, ${now} FROM n;
    INSERT INTO payment_orphans (signature, reason, payer_address, platform_lamports, slot, paid_at, found_at)
    SELECT 'orphan-' || i, 'payments.missing_reference', 'payer', 200000, 1, ${now}, ${now} FROM n;
    INSERT INTO reports (id, reporter_id, kind, subject_id, caller_id, reason, at)
    SELECT 'report-' || i, ${ID}, 'call', 'owned-' || (i % 100 + 1), ${owner}, 'scam', ${now} - i FROM n;
    INSERT INTO ledger_checks (day, started_at, finished_at) SELECT date(i * 86400, 'unixepoch'), i, i FROM n;
    INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at)
    SELECT ${ID}, '@tele' || i, 'chat-' || i, ${now}, ${now} FROM n;
    INSERT INTO notification_mutes (user_id, caller_id, at) SELECT ${ID}, ${idOf(`i % ${count} + 1`)}, ${now} FROM n;
    INSERT INTO paper_follows (user_id, caller_id, amount_usd, since)
    SELECT ${ID}, ${idOf(`i % ${count} + 1`)}, 100, ${now} FROM n;
    INSERT INTO facts (is_reminder, at, kind, subject, user_id)
    SELECT i % 2, ${now} + ${DAY_MS} + i, iif(i % 2, 'call_ends_soon', 'paper_ended'), 'active-' || i, ${ID} FROM n;
    INSERT INTO notification_opt_outs (user_id, kind) SELECT ${ID}, 'level_hit' FROM n;
    INSERT INTO payout_changes (caller_id, new_address, at) SELECT ${ID}, 'payout', ${now} FROM n;
    INSERT INTO sessions (token_hash, user_id, created_at, expires_at, device_hash)
    SELECT 'session-' || i, ${ID}, ${now}, ${now} + ${DAY_MS}, '' FROM n;
    INSERT INTO devices (user_id, token_hash, label, at, last_sign_in_at)
    SELECT ${ID}, 'device-' || i, 'Device', ${now}, ${now} FROM n;
    INSERT INTO wallets (id, user_id, address, created_at) SELECT 'wallet-' || i, ${ID}, 'address-' || i, ${now} FROM n;
    INSERT INTO wallet_challenges (nonce, user_id, address, message, expires_at)
    SELECT 'nonce-' || i, ${ID}, 'address-' || i, 'Message', ${now} + ${HOUR_MS} FROM n;
    INSERT INTO x_tokens
      (user_id, access_token_ciphertext, scopes, expires_at, created_at, session_hash, updated_at)
    SELECT ${ID}, 'cipher', 'tweet.read', ${now}, ${now}, 'session-' || i, ${now} FROM n;
    INSERT INTO api_keys (token_hash, user_id, name, may_call, created_at, session_hash)
    SELECT 'key-' || i, ${ID}, 'Key', 1, ${now}, 'session-' || i FROM n;
    INSERT INTO webhooks (user_id, url, secret_ciphertext, created_at, session_hash)
    SELECT ${ID}, 'https://example.com', 'cipher', ${now}, 'session-' || i FROM n;
    INSERT INTO attempts (action, person, full_at) SELECT 'calls.price', ${ID}, ${now} + ${DAY_MS} FROM n;
    INSERT INTO price_closes (mint, at, price) SELECT 'Old' || i, ${now} - i, '1' FROM n;
    INSERT INTO unpriced_mints (mint, since) SELECT 'Old' || i, ${now} FROM n;
    INSERT INTO level_checks (mint, since, seen_at, due_at)
    SELECT 'Old' || i, ${now}, ${now}, ${now} + ${HOUR_MS} FROM n;
    INSERT INTO failed_deliveries (event_id, messages, error, at) SELECT 'event-' || i, 1, 'Error', ${now} FROM n;
    INSERT INTO log_entries (caller_id, number, kind, call_id, subject_id, content, salt, text_salt, at)
    SELECT ${ID}, 1, 'opened', 'active-' || i, 'active-' || i, '{"v":1,"kind":"opened"}', '${SALT}', '${SALT}', ${now}
    FROM n;
    INSERT INTO log_entries (caller_id, number, kind, call_id, subject_id, content, at)
    SELECT ${owner}, (SELECT MAX(number) FROM log_entries WHERE caller_id = ${owner}) + i, 'ended', 'owned-' || i,
      'owned-' || i, '{"v":1,"kind":"ended"}', ${now} FROM n;
    -- Rows that cron jobs delete or change.
    INSERT INTO sessions (token_hash, user_id, created_at, expires_at, device_hash)
    SELECT 'expired-' || i, ${ID}, 1, ${now} - i, '' FROM n;
    INSERT INTO devices (user_id, token_hash, label, at, last_sign_in_at)
    SELECT ${ID}, 'old-' || i, 'Device', 1, i FROM n;
    INSERT INTO wallet_challenges (nonce, user_id, address, message, expires_at)
    SELECT 'expired-' || i, ${ID}, 'address-' || i, 'Message', i FROM n;
    INSERT INTO attempts (action, person, full_at) SELECT 'tokens.search', ${ID}, i FROM n;
    INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
    SELECT 'lapsed-' || i, ${ID}, '${environment.freeCaller.id}', 1, ${now} - ${4 * DAY_MS} - i, 'active', 1 FROM n;
    INSERT INTO level_checks (mint, since, seen_at, due_at) SELECT 'Gone' || i, 1, i, 1 FROM n;
    UPDATE callers SET subscriber_count = subscriber_count + ${count} WHERE caller_id = ${owner};`,
    { count },
  );
  await runScript(
    `UPDATE callers SET win_rate = rowid % 90, avg_return = rowid % 50, proven = rowid % 70 - 35
    WHERE payout_address LIKE 'payout%';`,
  );
}

/** SQL for an id. Like real ids, these start with all possible characters. */
function idOf(number: string): string {
  return `printf('%08x-%07d', ((${number}) * 2654435761) % 4294967296, ${number})`;
}
const ID = idOf('i');
