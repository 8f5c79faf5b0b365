import { getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { acceptances } from '#schema/tables/acceptances.ts';
import { apiKeys } from '#schema/tables/api-keys.ts';
import { callHoldings } from '#schema/tables/call-holdings.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { formerHandles } from '#schema/tables/former-handles.ts';
import { logEntries } from '#schema/tables/log.ts';
import { payoutChanges, renewalNotices } from '#schema/tables/notices.ts';
import { callEvents, notificationMutes, notificationOptOuts } from '#schema/tables/notifications.ts';
import { paymentLedger, paymentOrphans, refunds } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { pushDevices } from '#schema/tables/push-devices.ts';
import { reports } from '#schema/tables/reports.ts';
import { devices, sessions } from '#schema/tables/sessions.ts';
import { silentDays } from '#schema/tables/silent-days.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import { walletChallenges, wallets } from '#schema/tables/wallets.ts';
import { xTokens } from '#schema/tables/x-tokens.ts';

interface Order {
  readonly value: string;
  readonly id: string;
}

export interface ExportSection {
  readonly name: string;
  readonly table: SQLiteTable;
  /** The rest of the query from FROM on, with the table as `t`. It ends with a condition. */
  readonly from: (userId: string) => SQL;
  /** Columns to page by, in the order of an index. By default the rowid. */
  readonly order: Order;
  /** Columns that aren't exported: secrets and their hashes. */
  readonly leftOut: readonly string[];
}

interface SectionOptions extends Partial<Order> {
  readonly name?: string;
  readonly leftOut?: readonly string[];
}

function section(
  table: SQLiteTable,
  from: (userId: string) => SQL,
  { name = getTableName(table), value = 't.rowid', id = 't.rowid', leftOut = [] }: SectionOptions = {},
): ExportSection {
  return { name, table, from, order: { value, id }, leftOut };
}

/** Exports the rows whose `owner` column is the user. */
function own(table: SQLiteTable, owner: string, options?: SectionOptions): ExportSection {
  return section(
    table,
    (userId) => sql`FROM ${table} t WHERE t.${sql.identifier(owner)} = ${userId}`,
    options,
  );
}

/**
 * All data that we store about a user. Long sections are paged along an index, a join along that of the table that it
 * starts with.
 */
export const EXPORT_SECTIONS: readonly ExportSection[] = [
  own(users, 'id'),
  own(callers, 'caller_id'),
  own(acceptances, 'user_id'),
  own(sessions, 'user_id', { leftOut: ['token_hash', 'device_hash'] }),
  own(apiKeys, 'user_id', { leftOut: ['token_hash'] }),
  own(devices, 'user_id', { leftOut: ['token_hash'] }),
  own(wallets, 'user_id'),
  own(walletChallenges, 'user_id', { leftOut: ['nonce'] }),
  own(payoutChanges, 'caller_id', { value: 't.at' }),
  own(reports, 'reporter_id', { value: 't.at' }),
  own(telegramLinks, 'user_id', { leftOut: ['start_nonce_hash'] }),
  own(formerHandles, 'user_id'),
  own(pushDevices, 'user_id', { leftOut: ['session_hash', 'auth'] }),
  own(notificationOptOuts, 'user_id'),
  own(notificationMutes, 'user_id'),
  own(xTokens, 'user_id', { leftOut: ['access_token_ciphertext', 'refresh_token_ciphertext'] }),
  own(calls, 'caller_id', { value: 't.called_at' }),
  section(
    callUpdates,
    // Events have an index by caller and time; updates have none.
    (userId) => sql`
      FROM call_events e JOIN call_updates t ON t.id = e.update_id
      WHERE e.caller_id = ${userId} AND e.kind = 'call_update'`,
    { value: 'e.at', id: 'e.id' },
  ),
  section(
    callHoldings,
    (userId) =>
      sql`FROM calls k CROSS JOIN call_holdings t ON t.call_id = k.id WHERE k.caller_id = ${userId}`,
    { value: 'k.called_at', id: 'k.rowid' },
  ),
  own(callEvents, 'caller_id', { value: 't.at', id: 't.id' }),
  section(
    logEntries,
    // Only the user's former names and handles. All other log entries are about calls, which are exported above.
    (userId) => sql`
      FROM log_entries t
      WHERE t.caller_id = ${userId} AND t.call_id IS NULL AND t.kind = 'named'`,
    { leftOut: ['salt'] },
  ),
  own(subscriptions, 'subscriber_id', { name: 'subscriptions' }),
  own(silentDays, 'caller_id', { value: 't.at', id: 't.rowid' }),
  own(subscriptions, 'caller_id', { name: 'subscriptions_to_you', value: 't.created_at', id: 't.id' }),
  own(renewalNotices, 'subscriber_id'),
  own(paymentIntents, 'user_id', { value: 't.created_at' }),
  section(
    paymentBroadcasts,
    (userId) => sql`
      FROM payment_intents i JOIN payment_broadcasts t ON t.intent_id = i.id
      WHERE i.user_id = ${userId}`,
    { value: 'i.created_at' },
  ),
  own(payments, 'user_id', { name: 'payments', value: 't.created_at' }),
  own(payments, 'caller_id', { name: 'payments_to_you', value: 't.created_at' }),
  section(
    paymentLedger,
    (userId) => sql`
      FROM payments p JOIN payment_ledger t ON t.payment_id = p.id
      WHERE p.user_id = ${userId}`,
    { value: 'p.created_at' },
  ),
  section(
    refunds,
    (userId) => sql`FROM payments p JOIN refunds t ON t.payment_id = p.id WHERE p.user_id = ${userId}`,
    { value: 'p.created_at' },
  ),
  section(
    refunds,
    (userId) => sql`FROM payments p JOIN refunds t ON t.payment_id = p.id WHERE p.caller_id = ${userId}`,
    { name: 'refunds_by_you', value: 'p.created_at' },
  ),
  own(paymentOrphans, 'user_id'),
];

/** Tables without data about a single person, and tables whose data another section exports. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  attempts: 'Counters of what you tried within the last day, to limit how often you can do it.',
  caller_statistics: 'A copy of your ended calls, for faster statistics.',
  callers_search: 'A copy of your name and handle, for the search.',
  price_quotes: 'The prices of tokens when calls were made and ended. Each call page shows them.',
  price_marks: 'The prices of tokens after calls were made and ended. Each call page shows them.',
  payment_notices: 'Notes that a payment was reported to its caller.',
  failed_deliveries: 'Messages that could not be sent, without their texts, for operators.',
  active_mints: 'Tokens of active calls, of all callers together.',
  called_tokens: 'Tokens with ended calls, of all callers together.',
  level_checks: 'Tokens whose price is being checked.',
  price_closes: 'Prices of tokens over time.',
  price_shards: 'Times at which prices were refreshed.',
  unpriced_mints: 'Tokens without a price.',
  job_leases: 'The background jobs that are running.',
  job_runs: 'Results of the last background jobs.',
  endpoint_outages: 'Solana nodes that fail.',
  hidden_texts: 'Public texts that we have hidden. They are shown as hidden.',
  call_notes: 'Our public notes on ended calls. Each call page shows them.',
  pauses: 'What we have paused for everybody, and why.',
  operator_audit: "Our operators' actions with their reasons.",
  log_checkpoints: 'Signatures of the public log.',
  log_tiles: 'Checksums of the public log.',
  log_anchors: 'Transactions with a checksum of the public log.',
  log_cosignatures: 'Signatures of the public log.',
  ledger_checks: 'Daily checks of all payments together.',
  unread_transactions: 'Transactions of the platform wallet that we have not read yet.',
};

/** Returns the SQL names of the exported columns. */
export function columnsOfSection({ table, leftOut }: ExportSection): string[] {
  return Object.values(getTableColumns(table))
    .map(({ name }) => name)
    .filter((name) => !leftOut.includes(name));
}
