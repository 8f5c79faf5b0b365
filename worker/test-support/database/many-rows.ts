import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import type { AccessEnvironment } from '../access/access-environment.ts';
import { addDerivedRows } from '../derived-rows.ts';
import { testEnv } from '../test-app.ts';

export interface ManyRowsOptions {
  readonly environment: AccessEnvironment;
  /** The number of rows that every table gets. */
  readonly count: number;
}

const SALT = btoa('s'.repeat(32));
/** The number of additional callers that the subscriber follows. */
const FOLLOWED = 80;

/**
 * Adds `count` rows to every table. Most rows belong to unrelated users. The environment's owner also gets `count`
 * ended calls, followers, earnings and messages, because one user may have any number of these.
 */
export async function insertManyRows({ environment, count }: ManyRowsOptions): Promise<void> {
  const now = environment.app.clock.now();
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const owner = `'${environment.owner.id}'`;
  const subscriber = `'${environment.subscriber.id}'`;
  const id = ID;
  const insert = (into: string, values: string, from = 'n') =>
    `${numbers} INSERT INTO ${into} SELECT ${values} FROM ${from}`;
  const call = `id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, target_price`;
  const endedCall = `id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
    change_percent`;
  const intent = `id, user_id, caller_id, reference, caller_address, platform_address, total_lamports, caller_lamports,
    platform_lamports, created_at, expires_at`;
  const payment = `id, signature, intent_id, user_id, caller_id, payer_address, total_lamports, caller_lamports,
    platform_lamports, slot, paid_at, created_at`;
  const amounts = `500000000, 450000000, 50000000`;
  const followed = `(SELECT i FROM n WHERE i <= ${FOLLOWED})`;
  const ownNumber = `(SELECT MAX(number) FROM log_entries WHERE caller_id = ${owner})`;
  const statements = [
    insert(
      'users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)',
      `${id}, 'x' || i, 'handle' || i, 'First', 'Last', ${now}, ${now}`,
    ),
    insert(
      `callers (caller_id, fee_lamports, payout_address, search_text, win_rate, avg_return, proven, subscriber_count,
        created_at, updated_at)`,
      `${id}, (i % 2) * 500000000, 'payout' || i, 'first last handle' || i, i % 90, i % 50, i % 70, i % 9, ${now}, ${now}`,
    ),
    // One ended and one active call for each unrelated user.
    insert(
      `calls (${endedCall})`,
      `'ended-' || i, ${id}, 'Old' || i, 'O' || i, 'Old', '1', ${now} - ${200 * DAY_MS}, '2',
        ${now} - (i * 7919) % ${100 * 86_400} * 1000, 100`,
    ),
    insert(
      `calls (${call})`,
      `'active-' || i, ${id}, 'Mint' || replace(printf('%07d', i), '0', 'z') || '${'X'.repeat(32)}', 'A' || i, 'Active',
        '1', ${now} - i * 1000, '3'`,
    ),
    insert(
      `calls (${endedCall})`,
      `'owned-' || i, ${owner}, 'Own' || i, 'W' || i, 'Own', '1', ${now} - ${200 * DAY_MS}, '2',
        ${now} - ${DAY_MS} - (i * 7919) % ${100 * 86_400} * 1000, 100`,
    ),
    insert(
      'price_quotes (call_id, side, source, price, is_recorded, quoted_at)',
      `'owned-' || i, 'open', 'jupiter', '1', 1, ${now}`,
    ),
    insert(
      'price_marks (call_id, side, price, source, seen_at)',
      `'owned-' || i, 'open', '1', 'jupiter', ${now}`,
    ),
    insert(
      'call_updates (id, call_id, message, created_at)',
      `'update-' || i, 'active-' || i, 'Text', ${now}`,
    ),
    insert(
      'call_events (id, kind, call_id, caller_id, at, queued_at)',
      `'call_ended:owned-' || i, 'call_ended', 'owned-' || i, ${owner}, ${now} - i * ${DAY_MS}, ${now}`,
    ),
    // Payments of unrelated users to the owner, and of the subscriber to the callers that they follow.
    ...[
      { from: 'n', key: 'paid', payer: id, caller: owner },
      { from: followed, key: 'mine', payer: subscriber, caller: id },
    ].flatMap(({ from, key, payer, caller }) => [
      insert(
        `payment_intents (${intent})`,
        `'${key}-' || i, ${payer}, ${caller}, '${key}-reference-' || i, 'payout', 'platform', ${amounts}, ${now} - i,
          ${now} + i`,
        from,
      ),
      insert(
        `payments (${payment})`,
        `'${key}-' || i, '${key}-signature-' || i, '${key}-' || i, ${payer}, ${caller}, 'payer', ${amounts}, 1,
          ${now} - i, ${now} - i`,
        from,
      ),
      insert(
        'payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)',
        `'${key}-granted-' || i, '${key}-' || i, 'granted', 1, ${now} - ${DAY_MS}, ${now} + ${20 * DAY_MS} + i, ${now}`,
        from,
      ),
      insert(
        'payment_ledger (id, payment_id, kind, slot, at)',
        `'${key}-settled-' || i, '${key}-' || i, 'finalized', 1, ${now}`,
        from,
      ),
      insert(
        `subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at,
          finalized_at)`,
        `'${key}-' || i, ${payer}, ${caller}, '${key}-' || i, ${now} - ${DAY_MS}, ${now} + ${20 * DAY_MS} + i, 'active',
          ${now} - i, ${now}`,
        from,
      ),
    ]),
    insert('payment_notices (payment_id, at, queued_at)', `'paid-' || i, ${now}, ${now}`),
    insert(
      'payment_broadcasts (signature, intent_id, created_at, dead_at)',
      `'paid-signature-' || i, 'paid-' || i, ${now} - i, ${now}`,
    ),
    insert(
      'payment_orphans (signature, reason, payer_address, platform_lamports, slot, paid_at, found_at)',
      `'orphan-' || i, 'payments.missing_reference', 'payer', 200000, 1, ${now}, ${now}`,
    ),
    insert(
      'reports (id, reporter_id, kind, subject_id, caller_id, reason, at)',
      `'report-' || i, ${id}, 'call', 'owned-' || (i % 100 + 1), ${owner}, 'scam', ${now} - i`,
    ),
    insert('ledger_checks (day, started_at, finished_at)', `date(i * 86400, 'unixepoch'), i, i`),
    insert(
      'telegram_links (user_id, handle, chat_id, connected_at, updated_at)',
      `${id}, '@tele' || i, 'chat-' || i, ${now}, ${now}`,
    ),
    insert('notification_mutes (user_id, caller_id, at)', `${id}, ${idOf(`i % ${count} + 1`)}, ${now}`),
    insert(
      'paper_follows (user_id, caller_id, amount_usd, since)',
      `${id}, ${idOf(`i % ${count} + 1`)}, 100, ${now}`,
    ),
    insert('paper_notices (call_id, at)', `'ended-' || i, ${now}`),
    insert('notification_opt_outs (user_id, kind)', `${id}, 'level_hit'`),
    insert(
      'renewal_notices (subscriber_id, caller_id, ends_at, days, at)',
      `${id}, ${owner}, ${now} + i, 7, ${now}`,
    ),
    insert('payout_changes (caller_id, new_address, at, queued_at)', `${id}, 'payout', ${now}, ${now}`),
    insert(
      'sessions (token_hash, user_id, created_at, expires_at, device_hash)',
      `'session-' || i, ${id}, ${now}, ${now} + ${DAY_MS}, ''`,
    ),
    insert(
      'devices (user_id, token_hash, label, at, last_sign_in_at, queued_at)',
      `${id}, 'device-' || i, 'Device', ${now}, ${now}, ${now}`,
    ),
    insert('wallets (id, user_id, address, created_at)', `'wallet-' || i, ${id}, 'address-' || i, ${now}`),
    insert(
      'wallet_challenges (nonce, user_id, address, message, expires_at)',
      `'nonce-' || i, ${id}, 'address-' || i, 'Message', ${now} + ${HOUR_MS}`,
    ),
    insert(
      'x_tokens (user_id, access_token_ciphertext, scopes, expires_at, updated_at)',
      `${id}, 'cipher', 'tweet.read', ${now}, ${now}`,
    ),
    insert('attempts (action, person, full_at)', `'calls.price', ${id}, ${now} + ${DAY_MS}`),
    insert('price_closes (mint, at, price)', `'Old' || i, ${now} - i, '1'`),
    insert('unpriced_mints (mint, since)', `'Old' || i, ${now}`),
    insert('level_checks (mint, since, seen_at, due_at)', `'Old' || i, ${now}, ${now}, ${now} + ${HOUR_MS}`),
    insert('failed_deliveries (event_id, messages, error, at)', `'event-' || i, 1, 'Error', ${now}`),
    insert('caller_statistics (caller_id, version, calls)', `${id}, '1:1', '[]'`),
    insert(
      'log_entries (caller_id, number, kind, call_id, subject_id, content, salt, text_salt, at)',
      `${id}, 1, 'opened', 'active-' || i, 'active-' || i, '{"kind":"opened"}', '${SALT}', '${SALT}', ${now}`,
    ),
    insert(
      'log_entries (caller_id, number, kind, call_id, subject_id, content, at)',
      `${owner}, ${ownNumber} + i, 'ended', 'owned-' || i, 'owned-' || i, '{"kind":"ended"}', ${now}`,
    ),
    // Rows that cron jobs delete or change.
    insert(
      'sessions (token_hash, user_id, created_at, expires_at, device_hash)',
      `'expired-' || i, ${id}, 1, ${now} - i, ''`,
    ),
    insert(
      'devices (user_id, token_hash, label, at, last_sign_in_at, queued_at)',
      `${id}, 'old-' || i, 'Device', 1, i, 1`,
    ),
    insert(
      'wallet_challenges (nonce, user_id, address, message, expires_at)',
      `'expired-' || i, ${id}, 'address-' || i, 'Message', i`,
    ),
    insert('attempts (action, person, full_at)', `'tokens.search', ${id}, i`),
    insert(
      'subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)',
      `'lapsed-' || i, ${id}, '${environment.freeCaller.id}', 1, ${now} - ${4 * DAY_MS} - i, 'active', 1`,
    ),
    insert('level_checks (mint, since, seen_at, due_at)', `'Gone' || i, 1, i, 1`),
    `UPDATE callers SET subscriber_count = subscriber_count + ${count} WHERE caller_id = ${owner}`,
  ];
  const later = [
    'UPDATE call_events SET queued_at = at WHERE queued_at IS NULL',
    `UPDATE callers SET win_rate = rowid % 90, avg_return = rowid % 50, proven = rowid % 70 - 35
     WHERE payout_address LIKE 'payout%'`,
  ];
  const run = (some: readonly string[]) =>
    testEnv.DB.batch(some.map((statement) => testEnv.DB.prepare(statement)));
  await run(statements);
  await addDerivedRows();
  await run(later);
}

/** SQL for an id. Like real ids, these start with all possible characters. */
function idOf(number: string): string {
  return `printf('%08x-%07d', ((${number}) * 2654435761) % 4294967296, ${number})`;
}
const ID = idOf('i');
