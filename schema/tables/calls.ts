import { getTableColumns, sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import {
  AUTOMATIC_ENDS,
  CALL_ORIGINS,
  FOLLOWER_RULES,
  UNCOUNTED_GAIN_REASONS,
  UNRANKED_REASONS,
} from '#schema/constants/market.ts';
import { QUOTE_FAILURES } from '#schema/constants/prices.ts';
import type { CopiedResult } from '#schema/rules/calls/follower-return.ts';
import type { TokenSafety } from '#schema/rules/prices/token-safety.ts';
import { flag, isOn, isSet, isUnset, timestamp, price } from './columns.ts';
import { erase, factsOf, keep, table, withhold, type ColumnsWith, type DeclaredColumn } from './table.ts';
import { userReference } from './users.ts';

/** Each column's facts decide the selections of calls, the trigger that fixes them, and their entries in the log. */
const columns = {
  id: keep(text('id').primaryKey(), { fixed: 'entry', shown: 'same' }),
  callerId: keep(userReference('caller_id'), { fixed: 'entry', shown: 'same' }),
  tokenMint: keep(text('token_mint').notNull(), { fixed: 'entry', logged: 'mint', shown: 'same' }),
  tokenSymbol: keep(text('token_symbol').notNull(), { fixed: 'entry', logged: 'symbol', shown: 'same' }),
  tokenName: keep(text('token_name').notNull(), { fixed: 'entry', shown: 'same' }),
  logoUri: keep(text('logo_uri'), { fixed: 'entry', shown: 'computed' }),
  entryPrice: keep(price('entry_price').notNull(), { fixed: 'entry', logged: 'entryPrice', shown: 'same' }),
  entryMarketCapUsd: keep(integer('entry_market_cap_usd'), { fixed: 'entry', shown: 'same' }),
  entrySafety: keep(text('entry_safety', { mode: 'json' }).$type<TokenSafety>(), { fixed: 'entry' }),
  calledAt: keep(timestamp('called_at').notNull(), { fixed: 'entry', shown: 'computed' }),
  thesis: erase(text('thesis'), { fixed: 'entry', logged: 'thesis', shown: 'same' }),
  targetPrice: keep(price('target_price'), { fixed: 'entry', logged: 'target', shown: 'same' }),
  stopPrice: keep(price('stop_price'), { fixed: 'entry', logged: 'stop', shown: 'same' }),
  isPaidPromotion: keep(flag('is_paid_promotion').notNull().default(false), {
    fixed: 'entry',
    logged: 'isPaidPromotion',
    shown: 'same',
  }),
  madeOn: keep(text('made_on', { enum: CALL_ORIGINS }).notNull().default('site'), {
    fixed: 'entry',
    shown: 'computed',
  }),
  unrankedReason: keep(text('unranked_reason', { enum: UNRANKED_REASONS }), {
    fixed: 'entry',
    logged: 'unranked',
    shown: 'same',
  }),
  /** The highest price since the entry. Null until a price has been seen. */
  peakPrice: keep(price('peak_price'), { fixed: 'end', shown: 'computed' }),
  peakAt: keep(timestamp('peak_at'), { fixed: 'end', shown: 'computed' }),
  endPrice: keep(price('end_price'), { fixed: 'end', logged: 'endPrice', shown: 'computed' }),
  endedAt: keep(timestamp('ended_at'), { fixed: 'end', shown: 'computed' }),
  /** (end - entry) / entry × 100. It is written once, together with the end. */
  changePercent: keep(real('change_percent'), { fixed: 'end', shown: 'computed' }),
  /** Reason why the gain of a ranked call counts as 0%, decided at its end. Null if the gain counts. */
  uncountedGainReason: keep(text('uncounted_gain_reason', { enum: UNCOUNTED_GAIN_REASONS }), {
    fixed: 'end',
    logged: 'uncounted',
    shown: 'same',
  }),
  /**
   * The change as the statistics count it (`countedCall` in schema/rules/calls/performance.ts). Null unless the
   * call is ranked and has ended.
   */
  countedChange: keep(
    real('counted_change').generatedAlwaysAs(
      sql.raw('iif(unranked_reason IS NULL, change_percent * (uncounted_gain_reason IS NULL), NULL)'),
      { mode: 'virtual' },
    ),
  ),
  /** The cron's reason to end the call; null if its caller ended it. */
  automaticEnd: keep(text('automatic_end', { enum: AUTOMATIC_ENDS }), {
    fixed: 'end',
    logged: 'automatic',
    shown: 'same',
  }),
  /** The record of the call's marks: the rule that decided the follower result. Null until minutes after the end. */
  followerRule: keep(text('follower_rule', { enum: FOLLOWER_RULES }), { shown: 'computed' }),
  /** The follower result in millionths of the stake. Null if the call has none. */
  followerPpm: keep(integer('follower_ppm'), { shown: 'computed' }),
  /** The follower's gain beyond holding SOL (`resultInSol`). Null if the call has no result. */
  solPpm: keep(integer('sol_ppm')),
  /** The gains of followers and of SOL (`copiedResult`). Null if the call has no result. */
  copied: keep(text('copied', { mode: 'json' }).$type<CopiedResult>()),
  /** The opening or the end is late in the public log, so Proven counts a gain as 0. */
  isLate: keep(flag('is_late').notNull().default(false)),
  /** The ids of the call's log entries that are only in R2. Null without such entries. */
  archivedEntries: withhold(text('archived_entries', { mode: 'json' }).$type<readonly number[]>()),
  /** The caller was verified when the call ended. A list of such calls reads the index of this column. */
  isCallerVerified: keep(flag('is_caller_verified').notNull().default(false), { fixed: 'end' }),
};

/** Token calls, active until the caller or the cron ends them. Triggers refuse every other change and deletion. */
export const calls = table('calls', columns, { of: 'callerId', pagedBy: ['calledAt'] }, (table) => [
  check('calls_entry_positive', sql`CAST(${table.entryPrice} AS REAL) > 0`),
  check('calls_market_cap_positive', sql`${table.entryMarketCapUsd} > 0`),
  check(
    'calls_end_positive',
    sql`${table.endPrice} IS NULL OR CAST(${table.endPrice} AS REAL) > 0 OR (${table.endPrice} = '0' AND ${table.automaticEnd} IS 'no_price')`,
  ),
  check(
    'calls_only_gains_uncounted',
    sql`${table.uncountedGainReason} IS NULL OR ${table.changePercent} > 0`,
  ),
  check('calls_automatic_end', sql`${table.automaticEnd} IS NULL OR ${table.endedAt} IS NOT NULL`),
  check(
    'calls_end_whole',
    sql`(${table.endPrice} IS NULL) = (${table.endedAt} IS NULL) AND (${table.endPrice} IS NULL) = (${table.changePercent} IS NULL)`,
  ),
  check('calls_end_after_start', sql`${table.endedAt} IS NULL OR ${table.endedAt} >= ${table.calledAt}`),
  check(
    'calls_follower_result',
    sql`iif(${table.followerRule} IS NULL, ${table.followerPpm} IS NULL, ${table.endedAt} IS NOT NULL AND (${table.followerPpm} IS NULL) = (${table.followerRule} = 'gain_without_mark')) AND (${table.followerPpm} IS NULL) = (${table.solPpm} IS NULL)`,
  ),
  uniqueIndex('calls_one_active_per_mint').on(table.callerId, table.tokenMint).where(isUnset(table.endedAt)),
  uniqueIndex('calls_one_active_per_symbol')
    .on(table.callerId, sql`${table.tokenSymbol} COLLATE NOCASE`)
    .where(isUnset(table.endedAt)),
  index('calls_active').on(table.callerId, table.calledAt).where(isUnset(table.endedAt)),
  index('calls_history').on(table.callerId, table.endedAt, table.id).where(isSet(table.endedAt)),
  index('calls_recent').on(table.endedAt, table.id).where(isSet(table.endedAt)),
  index('calls_won').on(table.endedAt, table.id).where(sql.raw('change_percent > 0')),
  index('calls_lost').on(table.endedAt, table.id).where(sql.raw('change_percent <= 0')),
  index('calls_recent_micro_caps')
    .on(table.endedAt, table.id)
    .where(sql.raw("ended_at IS NOT NULL AND unranked_reason = 'micro_cap'")),
  index('calls_of_verified').on(table.endedAt, table.id).where(isOn(table.isCallerVerified)),
  index('calls_by_symbol')
    .on(sql`${table.tokenSymbol} COLLATE NOCASE`, table.endedAt, table.id)
    .where(isSet(table.endedAt)),
  index('calls_active_mints').on(table.tokenMint, table.calledAt).where(isUnset(table.endedAt)),
  index('calls_targets')
    .on(table.tokenMint, sql`CAST(target_price AS REAL)`)
    .where(sql.raw('ended_at IS NULL AND target_price IS NOT NULL')),
  index('calls_stops')
    .on(table.tokenMint, sql`CAST(stop_price AS REAL)`)
    .where(sql.raw('ended_at IS NULL AND stop_price IS NOT NULL')),
  index('calls_ended_mints').on(table.tokenMint, table.calledAt).where(isSet(table.endedAt)),
  index('calls_by_age').on(table.calledAt, table.id).where(isUnset(table.endedAt)),
  index('calls_of_caller').on(table.callerId, table.calledAt),
  index('calls_by_opening').on(table.calledAt, table.id),
  index('calls_unrecorded')
    .on(table.endedAt, table.id)
    .where(sql.raw('ended_at IS NOT NULL AND follower_rule IS NULL')),
  // Has every column that Follower Return, Proven and After the fee need, so that they read no row of the table.
  index('calls_results')
    .on(
      table.callerId,
      table.endedAt,
      table.id,
      table.tokenMint,
      table.calledAt,
      table.followerPpm,
      table.solPpm,
      table.copied,
      table.isLate,
    )
    .where(sql.raw('follower_rule IS NOT NULL AND unranked_reason IS NULL')),
  index('calls_micro_caps')
    .on(table.callerId, table.endedAt, table.id, table.calledAt, table.solPpm, table.copied)
    .where(sql.raw("follower_rule IS NOT NULL AND unranked_reason = 'micro_cap'")),
]);

type Columns = (typeof calls)['_']['columns'];
type NamesWith<Fact> = {
  readonly [Key in ColumnsWith<typeof columns, Fact>]: Columns[Key]['_']['name'];
};

/**
 * Returns the names of the columns whose facts pass a test, by their keys.
 * @typeParam Fact the same facts for the compiler
 */
export function callColumnsWith<Fact>(isChosen: (facts: DeclaredColumn) => boolean): NamesWith<Fact> {
  const facts = factsOf(calls).columns;
  const chosen = Object.entries(getTableColumns(calls)).flatMap(([key, { name }]) => {
    const column = facts[key];
    return column && isChosen(column) ? [[key, name]] : [];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The facts in the types are those at run time.
  return Object.fromEntries(chosen) as NamesWith<Fact>;
}

/** Column type: a required reference to a call. */
export const callReference = <Name extends string>(name: Name) =>
  text(name)
    .notNull()
    .references(() => calls.id);

/** The price sources' quotes at each opening and end of a call. */
export const priceQuotes = table(
  'price_quotes',
  {
    callId: callReference('call_id'),
    side: text('side', { enum: ['open', 'end'] }).notNull(),
    source: text('source').notNull(),
    /** Null if the source had no price; `failure` gives the reason. An undated or rescaled quote has both. */
    price: price('price'),
    /** The price as the source sent it, if it was converted to `price`. */
    sentPrice: price('sent_price'),
    failure: text('failure', { enum: QUOTE_FAILURES }),
    /** True if this quote's price was recorded for the call. A trigger refuses a second one. */
    isRecorded: flag('is_recorded').notNull(),
    quotedAt: timestamp('quoted_at').notNull(),
    blockId: integer('block_id'),
    liquidityUsd: real('liquidity_usd'),
    volume24hUsd: real('volume_24h_usd'),
    poolCreatedAt: timestamp('pool_created_at'),
    /** The scaled token's multiplier on the chain. `price` is for one unscaled token. Null if the mint isn't scaled. */
    multiplier: real('multiplier'),
  },
  {
    withheld: 'The prices of tokens when calls were made and ended. Each call page shows them.',
    withoutRowid: true,
    never: 'changed',
  },
  (table) => [
    primaryKey({ columns: [table.callId, table.side, table.source] }),
    check(
      'price_quotes_said',
      sql`(${table.price} IS NULL) = (COALESCE(${table.failure}, 'undated') NOT IN ('undated', 'rescaled'))`,
    ),
  ],
);
