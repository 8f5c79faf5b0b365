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
import { paperFollows } from '#schema/tables/paper-follows.ts';
import { paymentLedger, paymentOrphans, refunds } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { pushDevices } from '#schema/tables/push-devices.ts';
import { reports } from '#schema/tables/reports.ts';
import { devices, sessions } from '#schema/tables/sessions.ts';
import { silentDays } from '#schema/tables/silent-days.ts';
import { feeChanges, subscriptions } from '#schema/tables/subscriptions.ts';
import { chatMembers, chatPosts, telegramChats } from '#schema/tables/telegram-chats.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import { walletChallenges, wallets } from '#schema/tables/wallets.ts';
import { webhooks } from '#schema/tables/webhooks.ts';
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
  /** If `from` selects the parents `t` of the exported rows: the column with the parent's id. */
  readonly parentColumn: string | undefined;
}

interface SectionOptions extends Partial<Order> {
  readonly name?: string;
  readonly leftOut?: readonly string[];
  readonly parentColumn?: string;
}

function section(
  table: SQLiteTable,
  from: (userId: string) => SQL,
  {
    name = getTableName(table),
    value = 't.rowid',
    id = 't.rowid',
    leftOut = [],
    parentColumn,
  }: SectionOptions = {},
): ExportSection {
  return { name, table, from, order: { value, id }, leftOut, parentColumn };
}

const rowsOf = (table: SQLiteTable, owner: string) => (userId: string) =>
  sql`FROM ${table} t WHERE t.${sql.identifier(owner)} = ${userId}`;

/** Exports the rows whose `owner` column is the user. */
const own = (table: SQLiteTable, owner: string, options?: SectionOptions): ExportSection =>
  section(table, rowsOf(table, owner), options);

interface Parents {
  readonly table: SQLiteTable;
  readonly owner: string;
  /** The column of the exported table with the parent's id. */
  readonly column: string;
  readonly value: string;
  readonly id?: string;
  readonly name?: string;
}

/** Exports the rows that belong to the user's rows in another table. A page has the rows of a number of parents. */
const childrenOf = (
  { table: parents, owner, column, ...options }: Parents,
  table: SQLiteTable,
): ExportSection => section(table, rowsOf(parents, owner), { ...options, parentColumn: column });

/** The order of the indexes of a user's payments. */
const BY_PAYMENT = { value: 't.created_at', id: 't.id' };

/** All data that we store about a user. Long sections are paged along an index. */
export const EXPORT_SECTIONS: readonly ExportSection[] = [
  own(users, 'id'),
  own(callers, 'caller_id'),
  own(acceptances, 'user_id'),
  own(sessions, 'user_id', { leftOut: ['token_hash', 'device_hash'] }),
  own(apiKeys, 'user_id', { leftOut: ['token_hash'] }),
  own(webhooks, 'user_id', { leftOut: ['secret_ciphertext'] }),
  own(devices, 'user_id', { leftOut: ['token_hash'] }),
  own(wallets, 'user_id'),
  own(walletChallenges, 'user_id', { leftOut: ['nonce'] }),
  own(payoutChanges, 'caller_id', { value: 't.at' }),
  own(reports, 'reporter_id', { value: 't.at' }),
  own(telegramLinks, 'user_id', { leftOut: ['start_nonce_hash', 'offer'] }),
  own(telegramChats, 'caller_id'),
  section(
    chatMembers,
    (userId) => sql`
      FROM chat_members t
      WHERE t.person_id = (SELECT chat_id FROM telegram_links WHERE user_id = ${userId})`,
  ),
  own(formerHandles, 'user_id'),
  own(pushDevices, 'user_id', { leftOut: ['session_hash', 'auth'] }),
  own(notificationOptOuts, 'user_id'),
  own(notificationMutes, 'user_id'),
  own(paperFollows, 'user_id'),
  own(xTokens, 'user_id', { leftOut: ['access_token_ciphertext', 'refresh_token_ciphertext'] }),
  own(calls, 'caller_id', { value: 't.called_at' }),
  childrenOf({ table: calls, owner: 'caller_id', column: 'call_id', value: 't.called_at' }, callUpdates),
  childrenOf({ table: calls, owner: 'caller_id', column: 'call_id', value: 't.called_at' }, callHoldings),
  childrenOf({ table: calls, owner: 'caller_id', column: 'call_id', value: 't.called_at' }, chatPosts),
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
  own(feeChanges, 'caller_id'),
  own(silentDays, 'caller_id', { value: 't.at', id: 't.rowid' }),
  own(subscriptions, 'caller_id', { name: 'subscriptions_to_you', value: 't.created_at', id: 't.id' }),
  own(renewalNotices, 'subscriber_id'),
  own(paymentIntents, 'user_id', { value: 't.created_at' }),
  childrenOf(
    { table: paymentIntents, owner: 'user_id', column: 'intent_id', value: 't.created_at' },
    paymentBroadcasts,
  ),
  own(payments, 'user_id', { name: 'payments', ...BY_PAYMENT }),
  own(payments, 'caller_id', { name: 'payments_to_you', ...BY_PAYMENT }),
  childrenOf({ table: payments, owner: 'user_id', column: 'payment_id', ...BY_PAYMENT }, paymentLedger),
  childrenOf({ table: payments, owner: 'user_id', column: 'payment_id', ...BY_PAYMENT }, refunds),
  childrenOf(
    { table: payments, owner: 'caller_id', column: 'payment_id', name: 'refunds_by_you', ...BY_PAYMENT },
    refunds,
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
  paper_notices: 'Ended calls whose followers on paper have not been told yet.',
  payment_notices: 'Notes that a payment was reported to its caller.',
  failed_deliveries: 'Messages that could not be sent, without their texts, for operators.',
  active_mints: 'Tokens of active calls, of all callers together.',
  called_tokens: 'Tokens with ended calls, of all callers together.',
  level_checks: 'Tokens whose price is being checked.',
  price_closes: 'Prices of tokens over time.',
  price_shards: 'Times at which prices were refreshed.',
  unpriced_mints: 'Tokens without a price.',
  job_leases: 'The background jobs that are running.',
  job_failures: 'Background jobs that fail.',
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

export function columnsOfSection({ table, leftOut }: ExportSection): string[] {
  return Object.values(getTableColumns(table))
    .map(({ name }) => name)
    .filter((name) => !leftOut.includes(name));
}
