import { sql, type SQL } from 'drizzle-orm';
import { DELETED_CALLER, DELETED_PREFIX } from '#schema/rules/people/person-name.ts';

const HAS_LEFT = 'u.left_at IS NOT NULL';
const unlessLeft = (name: string, otherwise: string) => `iif(${HAS_LEFT}, ${otherwise}, u.${name})`;

/** The public values of a user's columns. The query must name the table `users` as `u`. */
export const publicColumns = {
  first_name: unlessLeft('first_name', `'${DELETED_CALLER}'`),
  last_name: unlessLeft('last_name', "''"),
  twitter_handle: unlessLeft('twitter_handle', `'${DELETED_PREFIX}' || u.id`),
  profile_image_url: unlessLeft('profile_image_url', 'NULL'),
  is_verified: 'u.is_verified',
  is_suspended: `(u.is_suspended OR ${HAS_LEFT})`,
  is_hidden: 'u.is_hidden',
} as const;

export const SUMMARY_COLUMNS = [
  'first_name',
  'last_name',
  'twitter_handle',
  'profile_image_url',
  'is_verified',
] as const;

const copiedColumns = sql`is_verified, is_suspended, is_hidden, summary`;
const summaryJson = sql.raw(SUMMARY_COLUMNS.map((name) => `'${name}', ${publicColumns[name]}`).join(', '));
const { is_verified, is_suspended, is_hidden } = publicColumns;
const copies = sql`
  SELECT ${sql.raw(`${is_verified}, ${is_suspended}, ${is_hidden}`)}, json_object(${summaryJson})
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
