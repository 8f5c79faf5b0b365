import { sql, type SQL } from 'drizzle-orm';
import { ERASED_CALLS_PER_SLICE } from '#schema/constants.ts';
import { deletedHandle } from '#schema/rules/people/person-name.ts';
import { copyUsersToCallers } from '../../../shared/caller-copies.ts';
import { recordPayoutChange } from '../../../shared/payout-change.ts';

export interface Deletion {
  readonly userId: string;
  /** Unix ms, as all times in this file. */
  readonly now: number;
  /** Only for a restored backup, in which a call may be open that had ended before the account was deleted. */
  readonly mayHaveOpenCalls?: boolean;
}

export interface ErasedSlice {
  readonly userId: string;
  /** The texts of calls up to this time are erased. */
  readonly from: number;
}

/** Tables with personal data. They reference `users.live_id`, so their rows go before the account is deleted. */
const OWN_TABLES = [
  'push_devices',
  'sessions',
  'devices',
  'x_tokens',
  'telegram_links',
  'notification_opt_outs',
  'notification_mutes',
  'wallet_challenges',
  'wallets',
];

/**
 * Marks the account as deleted and erases everything but the texts of calls. To be run in this order. The last
 * statement returns a row if the account is deleted now.
 */
export function deletionStatements({ userId, now, mayHaveOpenCalls = false }: Deletion): SQL[] {
  const isDeleted = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND deleted_at IS NOT NULL)`;
  const canDelete = sql`EXISTS (
    SELECT 1 FROM users
    WHERE id = ${userId} AND deleted_at IS NULL
      AND (${mayHaveOpenCalls ? 1 : 0} OR NOT EXISTS (
        SELECT 1 FROM calls WHERE caller_id = ${userId} AND ended_at IS NULL)))`;
  const name = sql`iif(EXISTS (SELECT 1 FROM callers WHERE caller_id = ${userId}), 'Deleted caller', 'Deleted account')`;
  return [
    ...OWN_TABLES.map(
      (table) => sql`DELETE FROM ${sql.identifier(table)} WHERE user_id = ${userId} AND ${canDelete}`,
    ),
    sql`
      UPDATE users SET
        deleted_at = ${now}, updated_at = ${now}, x_user_id = ${deletedHandle(userId)},
        twitter_handle = ${deletedHandle(userId)}, first_name = ${name}, last_name = '', email = NULL,
        profile_image_url = NULL, bio = NULL, is_verified = 0, is_suspended = 1
      WHERE id = ${userId} AND ${canDelete}`,
    recordPayoutChange({ to: null, at: now, where: sql`caller_id = ${userId} AND ${isDeleted}` }),
    sql`
      UPDATE callers SET
        payout_address = NULL, search_text = 'deleted caller', handle_key = '', name_key = '',
        updated_at = MAX(updated_at + 1, ${now})
      WHERE caller_id = ${userId} AND ${isDeleted}`,
    copyUsersToCallers(sql`(${userId})`),
    sql`UPDATE reports SET text = NULL WHERE reporter_id = ${userId} AND ${isDeleted}`,
    closeReports(sql`kind = 'caller' AND subject_id = ${userId} AND ${isDeleted}`, now),
    ...endFollows(userId, isDeleted),
    sql`SELECT id FROM users WHERE id = ${userId} AND deleted_at IS NOT NULL`,
  ];
}

/** Selects the time of the slice's last call, as `at`. There is none in the last slice. */
export const lastOfSlice = ({ userId, from }: ErasedSlice) => sql`
  SELECT called_at AS at FROM calls
  WHERE caller_id = ${userId} AND called_at > ${from}
  ORDER BY called_at
  LIMIT 1 OFFSET ${ERASED_CALLS_PER_SLICE - 1}`;

/** Erases the texts of a slice. `last` is from `lastOfSlice`; null for the last slice. */
export function sliceStatements({
  userId,
  from,
  last,
  now,
}: ErasedSlice & Deletion & { last: number | null }): SQL[] {
  const isInSlice = sql`
    caller_id = ${userId} AND called_at > ${from} AND called_at <= ${last ?? Number.MAX_SAFE_INTEGER}`;
  return [
    sql`UPDATE calls SET thesis = NULL WHERE ${isInSlice} AND thesis IS NOT NULL`,
    sql`
      UPDATE call_updates SET message = ''
      WHERE call_id IN (SELECT id FROM calls WHERE ${isInSlice}) AND message <> ''`,
    // Without the wallets, the chain can't be read any more.
    sql`
      UPDATE call_holdings SET wallets = '[]', due_at = NULL, covers = 'end', state = 'unclear', found = NULL
      WHERE call_id IN (SELECT id FROM calls WHERE ${isInSlice}) AND covers IS NOT 'end'`,
    closeReports(sql`kind = 'call' AND subject_id IN (SELECT id FROM calls WHERE ${isInSlice})`, now),
    closeReports(
      sql`
        kind = 'update' AND subject_id IN (
          SELECT n.id FROM calls k JOIN call_updates n ON n.call_id = k.id WHERE ${isInSlice})`,
      now,
    ),
    ...eraseLogged(userId, isInSlice),
    last === null
      ? sql`
          UPDATE users SET erased_at = ${now}
          WHERE id = ${userId} AND deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 ${loggedNames(userId)})`
      : sql`UPDATE users SET erased_to = ${last} WHERE id = ${userId} AND deleted_at IS NOT NULL`,
  ];
}

/** Other people's open reports: what they are about is erased, so nothing is left to decide. */
const closeReports = (which: SQL, now: number) => sql`
  UPDATE reports SET text = NULL, resolved_at = ${now} WHERE ${which} AND resolved_at IS NULL`;

/** The caller's names in the log, and the reasons of acts that concern no call. */
const loggedNames = (userId: string) => sql`
  FROM log_entries WHERE caller_id = ${userId} AND call_id IS NULL AND text_salt IS NOT NULL`;

/** Without salts, nobody can check texts against the public log. */
const eraseLogged = (userId: string, isInSlice: SQL) =>
  [
    sql`caller_id = ${userId} AND call_id IN (SELECT id FROM calls WHERE ${isInSlice}) AND text_salt IS NOT NULL`,
    sql`id IN (SELECT id ${loggedNames(userId)} LIMIT ${ERASED_CALLS_PER_SLICE})`,
  ].map((entries) => sql`UPDATE log_entries SET text = NULL, text_salt = NULL WHERE ${entries}`);

/** Ends the free follows of the user. Paid periods stay, because the ledger has them. */
function endFollows(userId: string, isDeleted: ReturnType<typeof sql>) {
  const isFollow = sql`s.subscriber_id = ${userId} AND +s.payment_id IS NULL`;
  return [
    sql`
      UPDATE callers SET subscriber_count = MAX(0, subscriber_count - 1)
      WHERE ${isDeleted} AND caller_id IN (
        SELECT s.caller_id FROM subscriptions s
        WHERE ${isFollow} AND s.status = 'active' AND NOT EXISTS (
          SELECT 1 FROM subscriptions paid
          WHERE paid.subscriber_id = ${userId} AND paid.caller_id = s.caller_id AND paid.status = 'active'
            AND paid.payment_id IS NOT NULL))`,
    sql`DELETE FROM renewal_notices WHERE subscriber_id = ${userId} AND ${isDeleted}`,
    sql`
      DELETE FROM subscriptions
      WHERE subscriber_id = ${userId} AND +payment_id IS NULL AND ${isDeleted}`,
  ];
}
