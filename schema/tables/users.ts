import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, isOn, timestamp } from './columns.ts';

/** Users who have signed in. X's numeric id identifies a user, because a handle may move to another account. */
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    xUserId: text('x_user_id').notNull(),
    /**
     * The keyed hash of the X id (`createXIdHash`), which stays with a deleted account that was a caller or is
     * suspended: the next sign-in with this X id opens the account again.
     */
    xIdHash: text('x_id_hash'),
    twitterHandle: text('twitter_handle').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email'),
    profileImageUrl: text('profile_image_url'),
    bio: text('bio'),
    isVerified: flag('is_verified').notNull().default(false),
    /** Operators have suspended or hidden this caller. Both flags are copied to `callers`. */
    isSuspended: flag('is_suspended').notNull().default(false),
    isHidden: flag('is_hidden').notNull().default(false),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
    /** Time of the account's deletion. The row stays, without personal data. */
    deletedAt: timestamp('deleted_at'),
    /**
     * Time of the last deletion, until the person is a caller again. Meanwhile, the public sees "Deleted caller"
     * (`publicColumns`), also after the person has signed in again.
     */
    leftAt: timestamp('left_at'),
    /** The user's id; null once the account is deleted. */
    liveId: text('live_id').generatedAlwaysAs(sql.raw('iif(deleted_at IS NULL, id, NULL)'), {
      mode: 'virtual',
    }),
    /** The texts of the deleted account's calls up to this time are erased. */
    erasedTo: timestamp('erased_to').notNull().default(0),
    /** Time at which all texts of the deleted account were erased. */
    erasedAt: timestamp('erased_at'),
  },
  (table) => [
    index('users_to_erase')
      .on(table.id)
      .where(sql`deleted_at IS NOT NULL AND erased_at IS NULL`),
    uniqueIndex('users_live').on(table.liveId),
    uniqueIndex('users_x_user_id').on(table.xUserId),
    uniqueIndex('users_x_id_hash').on(table.xIdHash),
    uniqueIndex('users_twitter_handle').on(sql`${table.twitterHandle} COLLATE NOCASE`),
    index('users_hidden').on(table.id).where(isOn(table.isHidden)),
  ],
);

/** Column type: a required reference to a user. */
export const userReference = <Name extends string>(name: Name) =>
  text(name)
    .notNull()
    .references(() => users.id);

/** Column type: a reference to a user whose account isn't deleted. An account with such rows can't be deleted. */
export const accountReference = <Name extends string>(name: Name) =>
  text(name)
    .notNull()
    .references(() => users.liveId);
