import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './time.ts';

// Calls
/**
 * Limit on one person's attempts to open or end a call: `burst` times at once, then once per `everyMs`.
 * Failed attempts count. Each attempt costs every source up to two requests.
 */
export const CALL_ATTEMPTS = { burst: 20, everyMs: 10 * SECOND_MS } as const;
/** Targets and stops are at least this far from the entry price. */
export const MIN_LEVEL_PERCENT = 2;
/** A target may be at most this many times the entry price. */
export const MAX_TARGET_MULTIPLE = 10_000;
/** The reasons why a call counts in no statistic. They are decided when the call is opened. */
export const UNRANKED_REASONS = ['stablecoin', 'micro_cap', 'one_source', 'repeated_mint'] as const;
/** The place where a call was made: on the site, by a program with an API key, or in the chat with the bot. */
export const CALL_ORIGINS = ['site', 'api', 'telegram'] as const;
export const THESIS_MAX_LENGTH = 500;
/** The reasons why the gain of a ranked call counts as 0% and not as a win. They are decided when the call ends. */
export const UNCOUNTED_GAIN_REASONS = ['short_hold', 'one_source'] as const;
/** The cron's reasons to end a call. `caller_left`: the caller's account is being deleted. */
export const AUTOMATIC_ENDS = ['time_limit', 'no_price', 'caller_left'] as const;
/** A second call on the same mint within this time is unranked. */
export const REPEATED_MINT_MS = DAY_MS;
/** The gain of a call that ends sooner counts as 0%. */
export const MIN_COUNTED_HOLD_MS = 10 * MINUTE_MS;
export const MAX_CALLS_PER_HOUR = 10;
export const MAX_CALLS_PER_DAY = 30;
export const CALL_LIMITS = [
  { calls: MAX_CALLS_PER_HOUR, withinMs: HOUR_MS },
  { calls: MAX_CALLS_PER_DAY, withinMs: DAY_MS },
] as const;
/** The cron ends a call when it has been open for this long. */
export const CALL_AUTO_END_MS = 30 * DAY_MS;
/** The caller is told this long before the automatic end. */
export const CALL_END_NOTICE_MS = DAY_MS;
/**
 * If only one source has a price, the cron waits this long for a second one before it ends a call. With only
 * one source, a gain counts as 0%.
 */
export const SECOND_SOURCE_WAIT_MS = DAY_MS;
/** The cron ends a call at 0 when no source has had a price for its mint for this long. */
export const UNPRICED_END_MS = 7 * DAY_MS;
/** Prices that a caller may publish with a call. The call has succeeded at the target, and has failed at the stop. */
export const CALL_LEVELS = ['target', 'stop'] as const;
/** The check of a level ends if no refresh has seen it reached for this long. */
export const LEVEL_SIGHTING_MS = 10 * MINUTE_MS;

// Statistics and follower results
export const STATISTICS_WINDOWS_DAYS = [30, 90] as const;
export const DOUBLED_MULTIPLE = 2;
/** Statistics count at most this many of the newest ended calls. */
export const STATISTICS_MAX_CALLS = 5_000;
/** A call's price is recorded this long after the call was made, and again after it ended. */
export const MARK_DELAY_MS = MINUTE_MS;
/**
 * A price is a mark only if its source saw it at most this long after the due time. The cron runs every
 * minute, and earlier jobs may take half a minute.
 */
export const MARK_WINDOW_MS = 90 * SECOND_MS;
/** The record of a call's marks is written this long after its end. */
export const FOLLOWER_RECORD_DELAY_MS = 2 * MINUTE_MS;
export const FOLLOWER_RULES = [
  'marks',
  'ended_at_zero',
  'no_liquidity',
  'loss_without_mark',
  'gain_without_mark',
] as const;
export const FOLLOWER_STAKES_USD = [100, 1_000, 10_000] as const;
/** Lists and statistics show the follower result of this stake. */
export const FOLLOWER_STAKE_USD = 1_000;
export const SWAP_FEE_PERCENT = 0.3;
/** Follower results and changes in Avg Return count at most this much. */
export const MAX_FOLLOWER_RESULT_PERCENT = 200;
/** Follower Return covers this many of the newest ended ranked calls. */
export const FOLLOWER_FIGURES_CALLS = 200;
export const CALCULATOR_CALLS = 500;
export const CALCULATOR_FEES = 200;
export const CALCULATOR_STAKE_USD = 100;
export const MAX_CALCULATOR_STAKE_USD = 100_000;
/** The record of micro-caps covers this many of the newest ended calls on them, and needs so many. */
export const MICRO_CAP_RECORD_CALLS = 200;
export const MIN_MICRO_CAP_RECORD = 5;
/** The directory's filter shows callers with so many ended calls on micro-caps. */
export const MIN_MICRO_CAPS_LISTED = 10;
/** Proven covers this many of the newest ended ranked calls, from this long before the newest end with a result. */
export const PROVEN_CALLS = 500;
export const PROVEN_WINDOW_MS = 365 * DAY_MS;
export const MIN_PROVEN_RESULTS = 20;
export const MIN_PROVEN_TOKENS = 10;
export const MIN_PROVEN_BETS = 10;
/** Proven is the largest limit over these caps of the results. */
export const PROVEN_CAPS_PERCENT = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200] as const;
/** After the fee needs results of calls that were opened on this many days. */
export const MIN_AFTER_FEE_DAYS = 10;
/** Proven adds one loss that never happened, because a rare loss may not have happened yet. */
export const UNSEEN_LOSS_PERCENT = -20;

// Lists
export const TOKEN_CALLS = 100;
/** Orders by a rate or return. They have two groups: leading callers (`callers.isLeading`), then the others. */
export const RATE_SORTS = ['avgReturn', 'winRate', 'proven', 'followerReturn', 'afterFee'] as const;
/** The first sort order is the default. */
export const CALLER_SORTS = [...RATE_SORTS, 'subscribers', 'totalCalls', 'lastCall', 'fee'] as const;
export const DEFAULT_CALLER_SORT = CALLER_SORTS[0];
/** For this long after their own last opening or end of a ranked call, callers are active. */
export const ACTIVE_CALLER_MS = 30 * DAY_MS;
export const DIRECTORY_PAGE_SIZE = 60;
export const ENDED_CALLS_PAGE_SIZE = 50;
/** Each has an index, so that a page reads only the calls that it shows. Combinations would need more of them. */
export const ENDED_CALLS_FILTERS = ['won', 'lost', 'microCaps', 'verified'] as const;
export const CALL_HISTORY_LIMIT = 200;
export const SPARKLINE_CALLS = 7;
export const MAX_COMPARED_CALLERS = 5;
/** An unverified caller needs this many subscribers to count as better known than a look-alike. */
export const LOOK_ALIKE_MIN_SUBSCRIBERS = 10;
/** For this long after a handle has moved to another account, its page names the former holder. */
export const FORMER_HOLDER_SHOWN_MS = 90 * DAY_MS;

// Holdings
export const MAX_WALLETS_READ = 5;
/** Delay before the chain is read for a call or its end, so that the transactions are finalized. */
export const HOLDINGS_DELAY_MS = 2 * MINUTE_MS;
/** The chain is read from this long before a call to this long after its end. */
export const HOLDINGS_BEFORE_MS = HOUR_MS;
export const HOLDINGS_AFTER_MS = DAY_MS;
/** Purchases, sales and transfers of less are ignored. */
export const HOLDINGS_MIN_USD = 20;
/** Limits of one reading. A reading beyond them is partial. Signatures are listed in pages of 1,000. */
export const HOLDINGS_MAX_ACCOUNTS_PER_WALLET = 6;
export const HOLDINGS_MAX_PAGES_PER_ACCOUNT = 5;
export const HOLDINGS_MAX_TRANSACTIONS = 600;
export const HOLDINGS_SUMMED_CALLS = 100;
/**
 * `partial`: some transactions couldn't be read, or there are too many. `unread`: the chain couldn't be read.
 * `no_wallet`: the caller had verified no wallet.
 */
export const HOLDINGS_STATES = ['complete', 'partial', 'unread', 'no_wallet'] as const;
/** `received` and `sent`: everything that isn't clearly a purchase or a sale. */
export const MOVEMENT_KINDS = ['bought', 'received', 'sold', 'sent'] as const;
export const RECENT_BUYS_SHOWN = 10;
