import { sql, type SQL } from 'drizzle-orm';

/** The public columns of `users` that `callers.summary` copies. */
export const SUMMARY_COLUMNS = [
  'first_name',
  'last_name',
  'twitter_handle',
  'profile_image_url',
  'is_verified',
] as const;

const copiedColumns = sql`is_verified, is_suspended, is_hidden, summary`;
const summaryJson = sql.raw(SUMMARY_COLUMNS.map((name) => `'${name}', u.${name}`).join(', '));
const copies = sql`
  SELECT u.is_verified, u.is_suspended, u.is_hidden, json_object(${summaryJson})
  FROM users u
  WHERE u.id = callers.caller_id`;

/**
 * Copies the flags and the public columns of users to their rows of `callers`. Run it in each batch that changes these
 * columns or adds a caller. Returns one row per changed copy.
 * @param userIds a list or subquery of ids
 */
export const copyUsersToCallers = (userIds: SQL | readonly unknown[]): SQL => sql`
  UPDATE callers
  SET (${copiedColumns}) = (${copies})
  WHERE caller_id IN ${userIds} AND (${copiedColumns}) IS NOT (${copies})
  RETURNING caller_id`;
