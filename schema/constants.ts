/** Every number and name of the product once. Units are in the names. */

export const PRODUCT_NAME = 'SolCallers';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// Money
export const SOL_DECIMALS = 9;
export const LAMPORTS_PER_SOL = 1_000_000_000n;
/** The platform's part of a price is floor(total / 10); the caller gets the rest. */
export const PLATFORM_FEE_DIVISOR = 10n;
export const PLATFORM_FEE_PERCENT = 10;
export const SOL_DISPLAY_DECIMALS = 4;
/** Smallest price a newcomer may ask for when applying. */
export const MIN_APPLICATION_FEE_SOL = '0.01';
export const APPLICATION_FEE_STEP_SOL = '0.01';
/** Default and step of the dashboard's fee editor. */
export const DASHBOARD_FEE_STEP_SOL = '0.0001';
/** Above this a fee is a typing mistake: 1,000,000 SOL. It also keeps lamports within a safe integer. */
export const MAX_FEE_LAMPORTS = 1_000_000n * LAMPORTS_PER_SOL;
export const DIRECTORY_FEE_STEP_SOL = 0.1;

// Subscriptions and payments
export const SUBSCRIPTION_PERIOD_MS = 30 * DAY_MS;
/** How long free followers keep their access after a caller starts to charge. */
export const FREE_TO_PAID_GRACE_MS = 30 * DAY_MS;
export const INTENT_LIFETIME_MS = 10 * MINUTE_MS;
/** A transaction that was signed in an intent's last second lands while its blockhash lives: 150 slots, over a minute. */
export const BLOCKHASH_LIFETIME_MS = 2 * MINUTE_MS;
/** How long after it was opened an intent is looked for on the chain. */
export const INTENT_RECONCILE_MS = 24 * HOUR_MS;
/** How long before the end of a subscription its subscriber is told, twice, and for how long afterwards still. */
export const RENEWAL_WEEK_MS = 7 * DAY_MS;
export const RENEWAL_DAY_MS = DAY_MS;
export const RENEWAL_ENDED_MS = 3 * DAY_MS;
/** A cluster's clock is a stake-weighted estimate and may run behind ours. */
export const CHAIN_CLOCK_SKEW_MS = 2 * MINUTE_MS;

// Prices
/** Two prices further apart than this (in percent) are not the same price. */
export const MAX_PRICE_DEVIATION_PERCENT = 3;
export const MAX_QUOTE_AGE_MS = 60 * SECOND_MS;
/** Sources say in which slot they saw a price; a slot lasts about this long. */
export const SLOT_MS = 400;
/** A call of a token with less behind it when it is made is unranked: a few hundred dollars would move its price. */
export const MIN_RANKED_LIQUIDITY_USD = 10_000;
/** A price shown to people was fetched at most so long ago, whatever caches it came through. */
export const MAX_SHOWN_PRICE_AGE_MS = 10 * SECOND_MS;
/** For so long the worker answers with what it fetched; the rest of that age a shared cache may keep it. */
export const SHOWN_PRICE_WINDOW_MS = 5 * SECOND_MS;
/** A price on a screen that is older than this is shown with its age. */
export const MAX_FRESH_PRICE_AGE_MS = 60 * SECOND_MS;
export const MAX_MINTS_PER_REQUEST = 100;
export const JUPITER_MAX_MINTS = 50;
export const JUPITER_MAX_SEARCHED_MINTS = 100;
export const DEXSCREENER_MAX_MINTS = 30;
/** Into how many keys of KV the prices of active calls are packed. */
export const PRICE_SHARDS = 16;
/** How long a job may be silent before another run takes its place. */
export const JOB_LEASE_MS = 30 * SECOND_MS;
/** Prices are kept for charts at the end of each such interval; of those of some age one an hour is left, of old ones one a day. */
export const CLOSE_INTERVAL_MS = 5 * MINUTE_MS;
export const CLOSES_HOURLY_AFTER_MS = 2 * DAY_MS;
export const CLOSES_DAILY_AFTER_MS = 60 * DAY_MS;
/** How many points of a chart are sent at most. */
export const MAX_CHART_POINTS = 600;

// Statistics
/** The windows beside "all", in days. */
export const STATISTICS_WINDOWS_DAYS = [30, 90] as const;
/** A call has doubled when its end is at least this many times its entry. */
export const DOUBLED_MULTIPLE = 2;
/** What a call must have gained, in percent, to prove anything: less goes to fees and slippage of whoever follows it. */
export const PROVEN_GAIN_PERCENT = 1;
/** Of the normal distribution: a bound that holds with 95% confidence on both sides. */
export const PROVEN_Z = 1.96;
/** Of how many of the newest ended calls a caller's statistics are made at most. */
export const STATISTICS_MAX_CALLS = 5_000;

// Wallets
export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';
/** USDC and USDT: to pay with one of them is to buy, to get one is not. */
export const STABLE_COIN_MINTS: readonly string[] = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNky11McCe8BenwNYB',
];
/** Of a user's proven wallets, how many of the newest are read from the chain. */
export const MAX_WALLETS_READ = 5;
/** How long, and how many at most, a caller is shown that their payout wallet was changed. */
export const PAYOUT_CHANGES_SHOWN_MS = 30 * DAY_MS;
export const MAX_PAYOUT_CHANGES_SHOWN = 10;

// Sessions
export const SESSION_SLIDING_MS = 30 * DAY_MS;
export const SESSION_ABSOLUTE_MS = 90 * DAY_MS;
export const SIGN_IN_ATTEMPT_MS = 10 * MINUTE_MS;
/** How lately one must have signed in to be paid to another wallet than until now, or to none. */
export const FRESH_SIGN_IN_MS = 15 * MINUTE_MS;
export const WALLET_CHALLENGE_MS = 10 * MINUTE_MS;
/** X ends an access token after two hours; within this of its end it counts as ended. */
export const X_TOKEN_MARGIN_MS = MINUTE_MS;
/** How long X may take to answer for tokens. */
export const X_TOKEN_TIMEOUT_MS = 8 * SECOND_MS;
/** How long others wait for the one request that spends a refresh token: longer than that can take. */
export const X_REFRESH_CLAIM_MS = 15 * SECOND_MS;
/** A refresh that has not ended by then never will. */
export const X_REFRESH_LOST_MS = 10 * MINUTE_MS;
/** How long X is left alone when it takes no more and does not say until when. */
export const X_RATE_LIMIT_MS = 15 * MINUTE_MS;

// Texts
export const BIO_MAX_LENGTH = 500;
export const TWEET_MAX_LENGTH = 280;
export const UPDATE_MESSAGE_MAX_LENGTH = 3896;
export const THESIS_MAX_LENGTH = 500;
export const WALLET_PREFIX_LENGTH = 8;

// Telegram
/** What Telegram takes as one message, in UTF-16 units; an update leaves 200 of them for what stands around it. */
export const TELEGRAM_MESSAGE_MAX_LENGTH = 4096;
export const TELEGRAM_HANDLE_MIN_LENGTH = 5;
export const TELEGRAM_HANDLE_MAX_LENGTH = 32;
/** What the bot understands beside Start, as Telegram lists it. */
export const BOT_COMMANDS = [
  { command: 'status', description: 'What arrives here' },
  { command: 'stop', description: 'Disconnect this chat' },
  { command: 'help', description: 'What I understand' },
] as const;
/** How long a link to the bot's Start button works. */
export const TELEGRAM_START_LINK_MS = DAY_MS;
/** How long Telegram may take to answer. One that takes longer may have taken the message all the same. */
export const TELEGRAM_TIMEOUT_MS = 25 * SECOND_MS;
/** How long a delivery that was begun may take before another attempt may begin it anew. */
export const DELIVERY_LEASE_MS = MINUTE_MS;
/** Within this an update with the same words on the same call is the same one, and a caller may send so many. */
export const UPDATES_WINDOW_MS = 10 * MINUTE_MS;
export const MAX_UPDATES_PER_WINDOW = 10;
/** A message that failed and has been in the queue for this long is not tried again: an update on a call ages faster than a notice about money. */
export const NOTIFICATION_LIFETIME_MS = HOUR_MS;
export const NOTICE_LIFETIME_MS = DAY_MS;
/** What a queue takes at once. */
export const QUEUE_BATCH_SIZE = 100;
/** How many followers of a caller are looked at in one query: the chunk in which an event is fanned out. */
export const FOLLOWERS_PAGE_SIZE = 1_000;
/** What followers are told of a call. */
export const CALL_EVENT_KINDS = ['call_opened', 'call_ended', 'call_update'] as const;
/** What can be switched off. That one's payout wallet changed cannot. */
export const NOTIFICATION_KINDS = [
  ...CALL_EVENT_KINDS,
  'subscription_expiring',
  'subscription_expired',
  'payment_received',
] as const;
/** Nobody follows as many; it bounds what is read of one person. */
export const MAX_MUTED_CALLERS = 500;
/** Telegram takes about 30 messages a second from a bot: so many for followers, and so many for people's own affairs, which wait behind no crowd. */
export const BROADCASTS_PER_SECOND = 25;
export const NOTICES_PER_SECOND = 3;
/** For how long it is known which chat was told of what: far longer than a queue keeps a message. */
export const DELIVERIES_KEPT_MS = 30 * DAY_MS;
/** Few: it stands beside what a caller works with, and older ones are one press away. */
export const DELIVERY_LOG_PAGE_SIZE = 6;

// Lists
/** The directory's orders; the first is the default. */
export const CALLER_SORTS = [
  'avgReturn',
  'winRate',
  'proven',
  'subscribers',
  'totalCalls',
  'lastCall',
  'fee',
] as const;
export const DEFAULT_CALLER_SORT = CALLER_SORTS[0];
export const SEARCH_MAX_LENGTH = 60;
export const DIRECTORY_PAGE_SIZE = 60;
export const LIST_MAX_PAGE_SIZE = 100;
export const ENDED_CALLS_PAGE_SIZE = 50;
export const CALL_HISTORY_LIMIT = 200;
export const PAYMENTS_PAGE_SIZE = 50;
/** How many payments of a download are read in one query. */
export const EARNINGS_CSV_PAGE_SIZE = 500;
/** What sitemaps.org allows: addresses in one, and sitemaps in an index, of which some are not of calls. */
export const SITEMAP_MAX_URLS = 50_000;
export const SITEMAP_MAX_PARTS = 49_000;
export const SPARKLINE_CALLS = 7;
export const RECENT_BUYS_SHOWN = 10;
export const TRANSACTIONS_LIMIT = 100;
export const MAX_BODY_BYTES = 64 * 1024;
/** A message that answers another, each as long as can be and escaped, is over 64 KB; Telegram would bring what is refused again and again. */
export const MAX_TELEGRAM_UPDATE_BYTES = 512 * 1024;
/** X shortens every link to as many characters, whatever its length. */
export const TWEET_LINK_LENGTH = 23;
/** As X takes it. */
export const SHARE_IMAGE_MAX_BYTES = 5 * 1024 * 1024;
/** A share carries its image in base64 (four characters for three bytes), beside what every body may hold. */
export const MAX_SHARE_BODY_BYTES = Math.ceil(SHARE_IMAGE_MAX_BYTES / 3) * 4 + MAX_BODY_BYTES;

// Polling and caching in the browser
export const POLL_MS = {
  prices: 10 * SECOND_MS,
  wallets: 5 * SECOND_MS,
  activeCalls: 10 * SECOND_MS,
  subscriptionCalls: 30 * SECOND_MS,
  transactions: 30 * SECOND_MS,
  balances: 60 * SECOND_MS,
  payoutChanges: 60 * SECOND_MS,
  endedCalls: 30 * SECOND_MS,
  /** While a link to the bot is shown: whether Start was pressed. */
  telegramStart: 3 * SECOND_MS,
  deliveries: 30 * SECOND_MS,
} as const;
export const USER_STALE_MS = 10 * MINUTE_MS;
export const USER_KEPT_MS = 15 * MINUTE_MS;
export const DIRECTORY_RETRIES = 3;
export const PRICE_RETRIES = 3;

// Screens
export const SKELETONS = { directory: 6, activeCalls: 3, history: 5 } as const;
/** From this share of the supply on, the largest holders can make the price alone. */
export const RISKY_TOP_HOLDERS_PERCENT = 50;
export const TOAST_MS = 5 * SECOND_MS;
export const SHARE_IMAGE = { width: 1200, height: 675 } as const;
