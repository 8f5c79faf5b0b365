import { sql } from 'drizzle-orm';
import { index, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, isOn, isSet, timestamp } from './columns.ts';
import { erase, keep, table } from './table.ts';

/** Users who have signed in. X's numeric id identifies a user, because a handle may move to another account. */
export const users = table(
  'users',
  {
    id: keep(text('id').primaryKey()),
    xUserId: erase(text('x_user_id').notNull()),
    /**
     * The keyed hash of the X id (`createXIdHash`), which stays with a deleted account that was a caller or is
     * suspended: the next sign-in with this X id opens the account again.
     */
    xIdHash: keep(text('x_id_hash')),
    twitterHandle: erase(text('twitter_handle').notNull()),
    firstName: erase(text('first_name').notNull()),
    lastName: erase(text('last_name').notNull()),
    email: erase(text('email'), { atRequest: true }),
    profileImageUrl: erase(text('profile_image_url')),
    bio: erase(text('bio')),
    isVerified: erase(flag('is_verified').notNull().default(false)),
    /** Operators have suspended or hidden this caller. Both flags are copied to `callers`. */
    isSuspended: keep(flag('is_suspended').notNull().default(false)),
    isHidden: keep(flag('is_hidden').notNull().default(false)),
    createdAt: keep(timestamp('created_at').notNull()),
    updatedAt: keep(timestamp('updated_at').notNull()),
    /** Time of the account's deletion. The row stays, without personal data. */
    deletedAt: keep(timestamp('deleted_at')),
    /**
     * Time of the last deletion, until the person is a caller again. Meanwhile, the public sees "Deleted caller"
     * (`publicColumns`), also after the person has signed in again.
     */
    leftAt: keep(timestamp('left_at')),
    /** The user's id; null once the account is deleted. */
    liveId: keep(
      text('live_id').generatedAlwaysAs(sql.raw('iif(deleted_at IS NULL, id, NULL)'), {
        mode: 'virtual',
      }),
    ),
    /** The texts of the deleted account's calls up to this time are erased. */
    erasedTo: keep(timestamp('erased_to').notNull().default(0)),
    /** Time at which all texts of the deleted account were erased. */
    erasedAt: keep(timestamp('erased_at')),
  },
  { of: 'id', erasedByHand: true },
  (table) => [
    index('users_to_erase')
      .on(table.id)
      .where(sql`deleted_at IS NOT NULL AND erased_at IS NULL`),
    uniqueIndex('users_live').on(table.liveId),
    uniqueIndex('users_x_user_id').on(table.xUserId),
    uniqueIndex('users_x_id_hash').on(table.xIdHash),
    uniqueIndex('users_twitter_handle').on(sql`${table.twitterHandle} COLLATE NOCASE`),
    index('users_email')
      .on(sql`${table.email} COLLATE NOCASE`)
      .where(isSet(table.email)),
    index('users_hidden').on(table.id).where(isOn(table.isHidden)),
  ],
);

export const userReference = <Name extends string>(name: Name) =>
  text(name)
    .notNull()
    .references(() => users.id);

/** Column type: a reference to a user whose account isn't deleted. An account with such rows can't be deleted. */
export const accountReference = <Name extends string>(name: Name) =>
  text(name)
    .notNull()
    .references(() => users.liveId);
