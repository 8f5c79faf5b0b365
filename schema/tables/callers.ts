import { sql } from 'drizzle-orm';
import { check, index, integer, real, text } from 'drizzle-orm/sqlite-core';
import {
  LOOK_ALIKE_MIN_SUBSCRIBERS,
  MIN_MICRO_CAPS_LISTED,
  RATE_SORTS,
  type CALLER_SORTS,
} from '#schema/constants/market.ts';
import { copiedSums, type CopiedSums } from '#schema/rules/calls/after-fee.ts';
import type { HoldingsSummary } from '#schema/rules/calls/call-holdings.ts';
import type { Absence } from '#schema/rules/money/owed.ts';
import { SEARCH_RANK_SQL } from '#schema/rules/text/search-rank.ts';
import { FEE_LEVEL_SQL } from '#schema/rules/money/fee-levels.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { flag, isOn, isSet, lamports, timestamp } from './columns.ts';
import { erase, keep, table } from './table.ts';
import { users } from './users.ts';

/** Sort values of callers without this figure. No real value is lower. */
export const NO_WIN_RATE = -1;
export const NO_AVG_RETURN = -100;
export const NO_FOLLOWER_RETURN = -100;
/** Results from -100% to +200% give at least about -450%. */
export const NO_PROVEN = -1_000;
export const NO_AFTER_FEE = -1e9;

/** Sums of a caller without results. */
const NO_SUMS = copiedSums([], null);

/** Callers whom a look-alike may be compared with. */
export const IS_KNOWN_SQL = `(is_verified = 1 OR paying_count >= ${LOOK_ALIKE_MIN_SUBSCRIBERS}) AND is_suspended = 0 AND is_hidden = 0`;

/** Callers whom the directory's filter of micro-caps shows. */
export const CALLS_MICRO_CAPS_SQL = `micro_cap_calls >= ${MIN_MICRO_CAPS_LISTED}`;

/** `changeSum` has this many units per percent. */
export const CHANGE_UNITS = 1e9;

/** The column of each order of the directory. */
export const SORT_COLUMNS = {
  avgReturn: 'avgReturn',
  winRate: 'winRate',
  proven: 'proven',
  followerReturn: 'followerReturn',
  afterFee: 'afterFee',
  subscribers: 'payingCount',
  totalCalls: 'rankedCalls',
  lastCall: 'lastRankedAt',
  fee: 'feeLamports',
} as const satisfies Record<(typeof CALLER_SORTS)[number], string>;

export interface NewestEnd {
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly calledAt: number;
  readonly endedAt: number;
}

/**
 * A caller's terms and statistics. The directory reads them here instead of from calls and subscriptions.
 * Sort columns are NOT NULL, because keyset paging compares them. The batches that open and end calls write
 * the figures (`call-statistics.repository.ts`).
 */
export const callers = table(
  'callers',
  {
    callerId: keep(
      text('caller_id')
        .primaryKey()
        .references(() => users.id),
    ),
    /** 0 means Free. */
    feeLamports: keep(
      lamports('fee_lamports')
        .notNull()
        .default(sql`0`),
    ),
    /** False if the caller sells no 7 days. */
    sellsWeek: keep(flag('sells_week').notNull().default(true)),
    /** The time when the caller last went from Free to Paid, or took a deletion back; 0 for callers who never did. */
    chargesSince: keep(timestamp('charges_since').notNull().default(0)),
    feeLevel: keep(integer('fee_level').generatedAlwaysAs(sql.raw(FEE_LEVEL_SQL), { mode: 'virtual' })),
    /** A copy of the user's flag for the directory's indexes (`copyUsersToCallers`). */
    isVerified: erase(flag('is_verified').notNull().default(false)),
    isSuspended: keep(flag('is_suspended').notNull().default(false)),
    isHidden: keep(flag('is_hidden').notNull().default(false)),
    /**
     * JSON of the user's public columns (`callerSummary`), so that a list of several callers' calls needn't read
     * the users (`copyUsersToCallers`).
     */
    summary: erase(text('summary').notNull().default('{}')),
    payoutAddress: erase(text('payout_address')),
    /**
     * The account will be deleted at this time. A trigger refuses another time, so the day is fixed at the request.
     * Null if the caller hasn't asked for it.
     */
    deletesAt: keep(timestamp('deletes_at')),
    /** Each time between a deletion and the return, oldest first. Excludes a current absence. */
    absences: keep(text('absences', { mode: 'json' }).$type<readonly Absence[]>().notNull().default([])),
    searchText: erase(text('search_text').notNull()),
    /** The key of the handle to find look-alikes (`personKey`). */
    handleKey: erase(text('handle_key').notNull().default('')),
    handleSince: keep(timestamp('handle_since').notNull().default(0)),
    nameKey: erase(text('name_key').notNull().default('')),
    nameSince: keep(timestamp('name_since').notNull().default(0)),
    winRate: keep(real('win_rate').notNull().default(NO_WIN_RATE)),
    avgReturn: keep(real('avg_return').notNull().default(NO_AVG_RETURN)),
    totalCalls: keep(integer('total_calls').notNull().default(0)),
    endedCalls: keep(integer('ended_calls').notNull().default(0)),
    /** The number of ended ranked calls, from which the rates and the average return are computed. */
    rankedCalls: keep(integer('ranked_calls').notNull().default(0)),
    unrankedCalls: keep(integer('unranked_calls').notNull().default(0)),
    /** The number of ended calls on micro-caps. */
    microCapCalls: keep(integer('micro_cap_calls').notNull().default(0)),
    /** The number of ranked calls with a counted gain. */
    wonCalls: keep(integer('won_calls').notNull().default(0)),
    /**
     * The sum of the changes of ranked calls as Avg Return counts them. Each is rounded to a multiple of 1 / CHANGE_UNITS
     * percent and stored as this multiple. The sum of whole numbers is exact (up to 9 million percent), so it
     * doesn't drift.
     */
    changeSum: keep(real('change_sum').notNull().default(0)),
    measuredCalls: keep(integer('measured_calls').notNull().default(0)),
    /** Figures of the newest recorded results (`followerFigures`). */
    followerCalls: keep(integer('follower_calls').notNull().default(0)),
    callsWithoutResult: keep(integer('calls_without_result').notNull().default(0)),
    followerReturn: keep(real('follower_return').notNull().default(NO_FOLLOWER_RETURN)),
    proven: keep(real('proven').notNull().default(NO_PROVEN)),
    provenResults: keep(integer('proven_results').notNull().default(0)),
    provenTokens: keep(integer('proven_tokens').notNull().default(0)),
    /** Rounded down. The loss that never happened is one of them. */
    provenBets: keep(integer('proven_bets').notNull().default(1)),
    /** The same results in USD, added up for After the fee. */
    copiedSums: keep(text('copied_sums', { mode: 'json' }).$type<CopiedSums>().notNull().default(NO_SUMS)),
    /** Sorts the order `afterFee` (`afterFeeOrder`). */
    afterFee: keep(real('after_fee').notNull().default(NO_AFTER_FEE)),
    /** ACTIVE_CALLER_MS after the caller's own last opening or end of a ranked call. 0 without one. */
    activeUntil: keep(timestamp('active_until').notNull().default(0)),
    /** True until then. The cron clears it. Apart from the time, because a change of it rewrites many indexes. */
    isActive: keep(flag('is_active').notNull().default(false)),
    /** 1 if Proven is above 0 and the caller is active. These callers come first in orders by a rate or return. */
    isLeading: keep(
      integer('is_leading').generatedAlwaysAs(sql.raw('proven > 0 AND is_active = 1'), {
        mode: 'virtual',
      }),
    ),
    searchRank: keep(integer('search_rank').generatedAlwaysAs(sql.raw(SEARCH_RANK_SQL), { mode: 'virtual' })),
    lastCallAt: keep(timestamp('last_call_at').notNull().default(0)),
    lastRankedAt: keep(timestamp('last_ranked_at').notNull().default(0)),
    /** The SPARKLINE_CALLS newest ended calls, newest first. */
    recentCalls: keep(
      text('recent_calls', { mode: 'json' }).$type<readonly NewestEnd[]>().notNull().default([]),
    ),
    /** Null until the chain was read for an ended call. */
    holdings: keep(text('holdings', { mode: 'json' }).$type<HoldingsSummary>()),
    /** People with an active period. */
    subscriberCount: keep(integer('subscriber_count').notNull().default(0)),
    /** Those of them with a period that counts (`subscriptions.isCounted`). */
    payingCount: keep(integer('paying_count').notNull().default(0)),
    earnedLamports: keep(
      lamports('earned_lamports')
        .notNull()
        .default(sql`0`),
    ),
    createdAt: keep(timestamp('created_at').notNull()),
    updatedAt: keep(timestamp('updated_at').notNull()),
  },
  { of: 'callerId', erasedByHand: true },
  (table) => [
    check('callers_fee', sql`${table.feeLamports} >= 0`),
    check(
      'callers_counts',
      sql`${table.totalCalls} >= ${table.endedCalls} AND ${table.endedCalls} >= 0 AND ${table.subscriberCount} >= 0 AND ${table.payingCount} >= 0`,
    ),
    index('callers_to_delete').on(table.deletesAt).where(isSet(table.deletesAt)),
    index('known_callers_by_handle_key')
      .on(table.handleKey, sql`is_verified DESC`, table.handleSince)
      .where(sql.raw(IS_KNOWN_SQL)),
    index('known_callers_by_name_key')
      .on(table.nameKey, sql`is_verified DESC`, table.nameSince)
      .where(sql.raw(IS_KNOWN_SQL)),
    index('callers_active').on(table.activeUntil).where(isOn(table.isActive)),
    index('callers_by_avg_return').on(table.isLeading, table.avgReturn, table.callerId),
    index('callers_by_paying_count').on(table.payingCount, table.callerId),
    index('micro_cap_callers')
      .on(table.isLeading, table.avgReturn, table.callerId)
      .where(sql.raw(CALLS_MICRO_CAPS_SQL)),
    index('callers_by_fee').on(table.feeLamports, table.callerId),
    index('verified_callers_by_fee').on(table.feeLamports, table.callerId).where(isOn(table.isVerified)),
    ...keysOf(SORT_COLUMNS).flatMap((sort) => {
      if (sort === 'fee') return [];
      const column = table[SORT_COLUMNS[sort]];
      const group = RATE_SORTS.some((rate) => rate === sort) ? [table.isLeading] : [];
      return [
        index(`callers_by_fee_level_and_${column.name}`).on(table.feeLevel, ...group, column, table.callerId),
        index(`verified_callers_by_${column.name}`)
          .on(table.feeLevel, ...group, column, table.callerId)
          .where(isOn(table.isVerified)),
      ];
    }),
  ],
);
