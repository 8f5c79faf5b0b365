import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, moment } from './columns.ts';

/** A user who signed in. X's numeric id identifies them, because a handle may move to another account. */
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    xUserId: text('x_user_id').notNull(),
    twitterHandle: text('twitter_handle').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email'),
    profileImageUrl: text('profile_image_url'),
    bio: text('bio'),
    isVerified: flag('is_verified').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_x_user_id').on(table.xUserId),
    uniqueIndex('users_twitter_handle').on(sql`${table.twitterHandle} COLLATE NOCASE`),
  ],
);

/** A required reference to a user. */
export const userReference = <Name extends string>(name: Name) =>
  text(name)
    .notNull()
    .references(() => users.id);
