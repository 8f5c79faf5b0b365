import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/sqlite-core';
import { MAX_SILENT_DAYS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { timestamp } from './columns.ts';
import { keep, table } from './table.ts';
import { userReference } from './users.ts';

/**
 * Days by which a Paid caller's silence extended running periods. The days of a caller are at
 * least a day apart, so `at` minus `number` days never decreases.
 */
export const silentDays = table(
  'silent_days',
  {
    callerId: keep(userReference('caller_id')),
    /** Counts the caller's days from 1. */
    number: keep(integer('number').notNull()),
    /** The midnight (UTC) at which the caller was silent. */
    at: keep(timestamp('at').notNull()),
    /** The last time the caller opened, updated or ended a call, or became a caller. */
    since: keep(timestamp('since').notNull()),
    /** Counts the days of this silence from 1. */
    dayOfSilence: keep(integer('day_of_silence').notNull()),
  },
  { of: 'callerId', pagedBy: ['at'], never: 'changed' },
  (table) => [
    primaryKey({ columns: [table.callerId, table.number] }),
    index('silent_days_at').on(table.callerId, table.at, table.number),
    index('silent_days_moves').on(table.callerId, sql.raw(`(at - number * ${DAY_MS})`), table.number),
    check('silent_days_midnight', sql.raw(`at % ${DAY_MS} = 0`)),
    check('silent_days_in_a_row', sql.raw(`day_of_silence BETWEEN 1 AND ${MAX_SILENT_DAYS}`)),
  ],
);
