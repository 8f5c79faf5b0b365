import { MINUTE_MS, HOUR_MS, DAY_MS } from './time.ts';

// SOL and its chain
export const SOL_DECIMALS = 9;
export const SOL_DISPLAY_DECIMALS = 4;
export const LAMPORTS_PER_SOL = 1_000_000_000n;
export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';
/** Maximum age of the price of SOL. With an older price, amounts in SOL are shown without their value in dollars. */
export const MAX_SOL_PRICE_AGE_MS = HOUR_MS;
/** Solana's fee for one signature. */
export const SIGNATURE_FEE_LAMPORTS = 5_000n;

// Fees
/** The platform's share of each payment in basis points, rounded down. The caller gets the rest. */
export const PLATFORM_FEE_BPS = 1_000;
export const PLATFORM_FEE_PERCENT = PLATFORM_FEE_BPS / 100;
export const MIN_APPLICATION_FEE_SOL = '0.01';
export const APPLICATION_FEE_STEP_SOL = '0.01';
export const DASHBOARD_FEE_STEP_SOL = '0.0001';
/** The lowest fee of which the platform's share is a lamport. Payments are found by their transfer to the platform. */
export const MIN_FEE_LAMPORTS = 10_000n / BigInt(PLATFORM_FEE_BPS);
/**
 * A fee above 1,000,000 SOL is refused, because it is probably a typing mistake. Above about 9 million SOL,
 * lamports exceed the safe integers.
 */
export const MAX_FEE_LAMPORTS = 1_000_000n * LAMPORTS_PER_SOL;
export const DIRECTORY_FEE_STEP_SOL = 0.1;
/**
 * The directory's indexes group callers by fee level. The levels are: Free, each step of
 * DIRECTORY_FEE_STEP_SOL up to the first of these bounds (in SOL), the fees from each bound to the next, and
 * all fees above the last. A page reads at most one additional row per level, so there are fewer levels than
 * callers on a page.
 */
export const FEE_LEVEL_BOUNDS_SOL = [4, 5, 6, 8, 10, 20, 50] as const;

// Subscriptions
/** The monthly fee is the price of this many days. */
export const MONTH_DAYS = 30;
export const SUBSCRIPTION_PERIOD_MS = MONTH_DAYS * DAY_MS;
/** The days that a subscriber can buy at once. */
export const PERIOD_LENGTHS = [7, MONTH_DAYS, 90] as const;
/** A payment isn't opened if the access would then end later than this. */
export const MAX_AHEAD_MS = 120 * DAY_MS;
/** The longest period needs an ended ranked call in each of the last spans of 30 days that it covers. */
export const STEADY_SPANS = 3;
/** Subscribers counts people with a period of at least this length and this commission. */
export const COUNTED_PERIOD = { lengthMs: 30 * DAY_MS, platformLamports: 5_000_000 } as const;
/** Free followers keep access for this long after a caller starts to charge. */
export const FREE_TO_PAID_GRACE_MS = 30 * DAY_MS;
/** A Paid caller without an own opening, update or end for this long is silent. */
export const SILENT_AFTER_MS = 7 * DAY_MS;
/** The days in a row by which a silence extends paid subscriptions. */
export const MAX_SILENT_DAYS = 30;
/** The maximum number of callers that one person follows for free. Each refresh of the dashboard reads them all. */
export const MAX_FREE_FOLLOWS = 500;
/** Reminders of a subscription's end, in days before the end, in the order of sending. 0 means at the end. */
export const RENEWAL_REMINDER_DAYS: readonly number[] = [7, 1, 0];
/** Reminders of the end of a period shorter than a month. */
export const SHORT_REMINDER_DAYS: readonly number[] = [3, 1, 0];
/** A caller sees a paying subscriber's name while the period runs, and for this long after its end. */
export const SUBSCRIBER_NAMED_MS = 30 * DAY_MS;
/** Subscriptions that end within this time end "this week". */
export const ENDS_SOON_MS = 7 * DAY_MS;
/** The last reminder is sent up to this long after it was due. */
export const RENEWAL_LAST_MS = 3 * DAY_MS;

// Payments
export const INTENT_LIFETIME_MS = 10 * MINUTE_MS;
/** A blockhash is valid for this many blocks. */
export const BLOCKHASH_BLOCKS = 150;
/** A tolerance, longer than a blockhash lives at any usual slot time: a transaction may land this late. */
export const MAX_LANDING_MS = 2 * MINUTE_MS;
/** For this long after an intent's end, the platform walk reads transactions that name it before others. */
export const PENDING_PAYMENT_MS = 24 * HOUR_MS;
/**
 * Smaller transfers that match no payment are only counted, not listed as orphans. Anybody could send
 * thousands of them for a few cents.
 */
export const MIN_ORPHAN_LAMPORTS = 100_000n;
export const MAX_UNUSED_INTENTS = 20;
export const UNUSED_INTENTS_WINDOW_MS = HOUR_MS;
/** Another page says that a refund is open for this long after the caller has opened it. */
export const REFUND_OPEN_MS = 10 * MINUTE_MS;
/** The subscriber is told of this many transfers that pay a payment back, and receipts list as many. All are added up. */
export const MAX_REFUNDS_SHOWN = 20;
/** Once a payment has this many, transfers below `MIN_ORPHAN_LAMPORTS` don't count, so that dust never makes the sum costly. */
export const MAX_DUST_REFUNDS = 100;
/** The Memo program v2. A payment's memo is the id of its intent. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Tolerance for block times: a cluster's clock is a stake-weighted estimate and may be behind ours. */
export const CHAIN_CLOCK_SKEW_MS = 2 * MINUTE_MS;
export const PAYMENTS_PAGE_SIZE = 50;

// Wallets
export const MAX_WALLETS = 20;
export const PAYOUT_CHANGES_SHOWN_MS = 30 * DAY_MS;
export const MAX_PAYOUT_CHANGES_SHOWN = 10;
export const WALLET_CHALLENGE_MS = 10 * MINUTE_MS;
export const WALLET_PREFIX_LENGTH = 8;
export const TRANSACTIONS_LIMIT = 100;
