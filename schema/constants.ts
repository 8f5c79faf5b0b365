export const PRODUCT_NAME = 'SolCallers';

/** A user accepts these before the first payment and before becoming a caller. */
export const DOCUMENTS = ['terms', 'privacy', 'risk'] as const;
/** The date of each document. With a new date, every user has to accept the document again. */
export const DOCUMENT_VERSIONS = {
  terms: '2026-11-24',
  privacy: '2026-11-27',
  risk: '2026-11-27',
} as const satisfies Record<(typeof DOCUMENTS)[number], string>;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// Money
export const SOL_DECIMALS = 9;
export const LAMPORTS_PER_SOL = 1_000_000_000n;
/** The platform's share of each payment in basis points, rounded down. The caller gets the rest. */
export const PLATFORM_FEE_BPS = 1_000;
export const PLATFORM_FEE_PERCENT = PLATFORM_FEE_BPS / 100;
export const SOL_DISPLAY_DECIMALS = 4;
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

// Subscriptions and payments
export const SUBSCRIPTION_PERIOD_MS = 30 * DAY_MS;
/** Free followers keep access for this long after a caller starts to charge. */
export const FREE_TO_PAID_GRACE_MS = 30 * DAY_MS;
/**
 * A change between Free and Paid changes the subscriptions of this many subscribers at once, and of the others slice by
 * slice in the cron.
 */
export const FOLLOWERS_PER_SLICE = 200;
export const FEE_SLICES_PER_RUN = 15;
/** A Paid caller without an own opening, update or end for this long is silent. */
export const SILENT_AFTER_MS = 7 * DAY_MS;
/** The days in a row by which a silence extends paid subscriptions. */
export const MAX_SILENT_DAYS = 30;
/** The maximum number of callers that one person follows for free. Each refresh of the dashboard reads them all. */
export const MAX_FREE_FOLLOWS = 500;
export const INTENT_LIFETIME_MS = 10 * MINUTE_MS;
/**
 * Time after an intent's expiry in which its transaction may still land. A blockhash stays valid for 150
 * slots, which is over a minute.
 */
export const BLOCKHASH_LIFETIME_MS = 2 * MINUTE_MS;
/** A payment that a wallet sends alone is found first for this long after its intent's end. */
export const PENDING_PAYMENT_MS = 24 * HOUR_MS;
/**
 * Smaller transfers that match no payment are only counted, not listed as orphans. Anybody could send
 * thousands of them for a few cents.
 */
export const MIN_ORPHAN_LAMPORTS = 100_000n;
/** The maximum number of one person's unused intents in the last hour. */
export const MAX_UNUSED_INTENTS = 20;
export const UNUSED_INTENTS_WINDOW_MS = HOUR_MS;
/** The maximum number of refunds of one payment. All but the last one return less than the caller's share. */
export const MAX_REFUNDS = 5;
/** Solana's fee for one signature. */
export const SIGNATURE_FEE_LAMPORTS = 5_000n;
/**
 * The compute units that a payment may use. Its memo needs about 15,000, the rest 600. What is left is for
 * instructions that wallets add, such as Lighthouse guards. The network's default for one
 * instruction is the same.
 */
export const COMPUTE_UNIT_LIMIT = 200_000;
/** The Memo program v2. A payment's memo is the id of its intent. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Bounds of a payment's priority fee. The lower bound is used if no recent fees are known. */
export const MIN_PRIORITY_FEE_LAMPORTS = 10_000n;
export const MAX_PRIORITY_FEE_LAMPORTS = 500_000n;
/** Pauses between broadcasts of the same bytes. The last one repeats until the blockhash has expired. */
export const REBROADCAST_PAUSES_MS = [2, 3, 5, 10].map((seconds) => seconds * SECOND_MS);
/** An alarm is raised if an RPC endpoint fails for this long. */
export const ENDPOINT_ALARM_MS = 5 * MINUTE_MS;
/** An alarm is raised if the cron hasn't run for this long, and again after each reminder interval. */
export const CRON_SILENCE_MS = 5 * MINUTE_MS;
export const CRON_REMINDER_MS = HOUR_MS;
/** A job of the cron that has been due for longer counts as stuck. */
export const JOB_LATE_MS = 30 * MINUTE_MS;
/** The nightly export begins this long after midnight UTC, when the daily check of the ledger is done. */
export const BACKUP_AFTER_MS = 3 * HOUR_MS;
export const BACKUPS_KEPT_MS = 30 * DAY_MS;
/** Reminders of a subscription's end, in days before the end, in the order of sending. 0 means at the end. */
export const RENEWAL_REMINDER_DAYS: readonly number[] = [7, 1, 0];
/** The last reminder is sent up to this long after it was due. */
export const RENEWAL_LAST_MS = 3 * DAY_MS;
/** Tolerance for block times: a cluster's clock is a stake-weighted estimate and may be behind ours. */
export const CHAIN_CLOCK_SKEW_MS = 2 * MINUTE_MS;

// Prices
/** Two sources whose prices differ by more than this contradict each other. */
export const MAX_PRICE_DEVIATION_PERCENT = 3;
/** A price that a user saw is refused at once if it differs more than this from our last one. */
export const CLEARLY_MOVED_PERCENT = 10;
/**
 * Limit on one person's attempts to open or end a call: `burst` times at once, then once per `everyMs`.
 * Failed attempts count. Each attempt costs every source up to two requests.
 */
export const CALL_ATTEMPTS = { burst: 20, everyMs: 10 * SECOND_MS } as const;
export const MAX_QUOTE_AGE_MS = 60 * SECOND_MS;
export const SLOT_MS = 400;
/** A token with less liquidity or a lower 24-hour volume is a micro-cap: small sums can move its price. */
export const MICRO_CAP_USD = 25_000;
/** A token with a younger pool is a micro-cap, too. */
export const MIN_POOL_AGE_MS = DAY_MS;
/** A ranked call needs this many usable quotes at its entry, and a gain also needs them at the end to count. */
export const MIN_RANKED_QUOTES = 2;
/** Targets and stops are at least this far from the entry price. */
export const MIN_LEVEL_PERCENT = 2;
/** A target may be at most this many times the entry price. */
export const MAX_TARGET_MULTIPLE = 10_000;
/** Maximum age of a price in the Worker's own cache. */
export const SHOWN_PRICE_WINDOW_MS = 5 * SECOND_MS;
/** Maximum age of the price of SOL. With an older price, amounts in SOL are shown without their value in dollars. */
export const MAX_SOL_PRICE_AGE_MS = HOUR_MS;
/** The price of a token with an ended call is refreshed if somebody looks at it after this time. */
export const PUBLIC_PRICE_KEPT_MS = 30 * SECOND_MS;
/** Responses wait this long for fresh prices, and then show stored prices. */
export const LIVE_PRICE_WAIT_MS = 2 * SECOND_MS;
export const MAX_FRESH_PRICE_AGE_MS = 60 * SECOND_MS;
export const MAX_MINTS_PER_REQUEST = 100;
/**
 * The price sources: their names on the screen, and the limits of their APIs (`maxMints` per request,
 * requests `perMinute`). worker/adapters/price-sources.ts has their adapters.
 */
export const PRICE_SOURCES = {
  jupiter: { name: 'Jupiter', maxMints: 50, maxSearchedMints: 100 },
  dexscreener: { name: 'DexScreener', maxMints: 30, perMinute: 300 },
} as const;
export type PriceSourceName = keyof typeof PRICE_SOURCES;
/** The number of mints whose prices are fetched together. */
export const PRICE_BATCH_SIZE = PRICE_SOURCES.jupiter.maxMints;
export const PRICE_SHARDS = 16;
/** A job's run loses its lease if it doesn't renew it for this long. */
export const JOB_LEASE_MS = 30 * SECOND_MS;
/**
 * Charts have one price per interval. Prices older than two days are thinned to one per hour, and prices
 * older than 60 days to one per day.
 */
export const CLOSE_INTERVAL_MS = 5 * MINUTE_MS;
export const CLOSES_HOURLY_AFTER_MS = 2 * DAY_MS;
export const CLOSES_DAILY_AFTER_MS = 60 * DAY_MS;
export const MAX_CHART_POINTS = 600;

/** The shortest token search, in UTF-16 units. */
export const TOKEN_SEARCH_MIN_LENGTH = 2;
export const TOKEN_SEARCH_MAX_LENGTH = 60;
export const TOKEN_SEARCH_RESULTS = 10;
/** The response to a token search is cached this long for the person who searched. */
export const TOKEN_SEARCH_KEPT_MS = 30 * SECOND_MS;
/** Limit on one person's searches for tokens. Each search may cost a source three requests. */
export const TOKEN_SEARCH_LIMIT = { burst: 20, everyMs: 3 * SECOND_MS } as const;

// Calls
/** The reasons why a call counts in no statistic. They are decided when the call is opened. */
export const UNRANKED_REASONS = ['stablecoin', 'micro_cap', 'one_source', 'repeated_mint'] as const;
/** The place where a call was made: on the site, by a program with an API key, or in the chat with the bot. */
export const CALL_ORIGINS = ['site', 'api', 'telegram'] as const;
/** The reasons why the gain of a ranked call counts as 0% and not as a win. They are decided when the call ends. */
export const UNCOUNTED_GAIN_REASONS = ['short_hold', 'one_source'] as const;
/** The cron's reasons to end a call: it was open for too long, or no source has a price for its token. */
export const AUTOMATIC_ENDS = ['time_limit', 'no_price', 'caller_left'] as const;
/** A second call on the same mint within this time is unranked. */
export const REPEATED_MINT_MS = DAY_MS;
/** The gain of a call that ends sooner counts as 0%. */
export const MIN_COUNTED_HOLD_MS = 10 * MINUTE_MS;
/** Limits on the calls that one caller may open. */
export const MAX_CALLS_PER_HOUR = 10;
export const MAX_CALLS_PER_DAY = 30;
export const CALL_LIMITS = [
  { calls: MAX_CALLS_PER_HOUR, withinMs: HOUR_MS },
  { calls: MAX_CALLS_PER_DAY, withinMs: DAY_MS },
] as const;
/** The cron ends a call at the market price when it has been open for this long. */
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
/**
 * A target or stop that a refresh saw reached is checked until two sources confirm it. The pause before the
 * next check is as long as the time since the first sighting, but at least LEVEL_RECHECK_MS and at most
 * LEVEL_RECHECK_MAX_MS.
 */
export const LEVEL_RECHECK_MS = MINUTE_MS;
export const LEVEL_RECHECK_MAX_MS = 30 * MINUTE_MS;
/** The check of a level ends if no refresh has seen it reached for this long. */
export const LEVEL_SIGHTING_MS = 10 * MINUTE_MS;

// Statistics
export const STATISTICS_WINDOWS_DAYS = [30, 90] as const;
export const DOUBLED_MULTIPLE = 2;
/** Statistics count at most this many of the newest ended calls. */
export const STATISTICS_MAX_CALLS = 5_000;

// Follower results
/** A call's price is recorded this long after the call was made, and again after it ended. */
export const MARK_DELAY_MS = MINUTE_MS;
/**
 * A price is a mark only if its source saw it at most this long after the due time. The cron runs every
 * minute, and earlier jobs may take half a minute.
 */
export const MARK_WINDOW_MS = 90 * SECOND_MS;
/** The record of a call's marks is written this long after its end. */
export const FOLLOWER_RECORD_DELAY_MS = 2 * MINUTE_MS;
/** The rules that decide a call's follower result (`followerResult`). */
export const FOLLOWER_RULES = [
  'marks',
  'ended_at_zero',
  'no_liquidity',
  'loss_without_mark',
  'gain_without_mark',
  'outage',
] as const;
export const FOLLOWER_STAKES_USD = [100, 1_000, 10_000] as const;
/** Lists and statistics show the follower result of this stake. */
export const FOLLOWER_STAKE_USD = 1_000;
export const SWAP_FEE_PERCENT = 0.3;
export const MAX_FOLLOWER_RESULT_PERCENT = 200;
/** Follower Return and Proven cover this many of the newest ended ranked calls. */
export const FOLLOWER_FIGURES_CALLS = 200;
/** The calculator reads this many of a caller's newest recorded ranked calls. */
export const CALCULATOR_CALLS = 500;
export const CALCULATOR_STAKE_USD = 100;
export const MAX_CALCULATOR_STAKE_USD = 100_000;
/** A page with all of them loads each caller's results. */
export const MAX_PAPER_FOLLOWS = 30;
/** Callers side by side on the Compare page. */
export const MAX_COMPARED_CALLERS = 5;
/** Proven needs results from this many UTC days and on this many mints. */
export const MIN_PROVEN_DAYS = 10;
export const MIN_PROVEN_MINTS = 10;

// Token pages
/** A token's page lists this many of its newest ended calls. */
export const TOKEN_CALLS = 100;
export const MAX_FOUND_TOKENS = 6;

// Wallets
export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';
export const MAX_WALLETS_READ = 5;
export const MAX_WALLETS = 20;
/** Delay before the chain is read for a call or its end, so that the transactions are finalized. */
export const HOLDINGS_DELAY_MS = 2 * MINUTE_MS;
/** The chain is read from this long before a call to this long after its end. */
export const HOLDINGS_BEFORE_MS = HOUR_MS;
export const HOLDINGS_AFTER_MS = DAY_MS;
/** Purchases, sales and transfers of less are ignored. */
export const HOLDINGS_MIN_USD = 20;
/** Limits of one reading. Beyond them, it's partial. Signatures are listed in pages of 1,000. */
export const HOLDINGS_MAX_ACCOUNTS_PER_WALLET = 6;
export const HOLDINGS_MAX_PAGES_PER_ACCOUNT = 5;
export const HOLDINGS_MAX_TRANSACTIONS = 600;
/** A run of the cron starts no further reading after this many requests. */
export const HOLDINGS_REQUESTS_PER_RUN = 200;
/** A reading that fails is tried this many times. */
export const HOLDINGS_MAX_TRIES = 8;
/** The wait before the second try. It doubles with each try, to 21 hours in total. */
export const HOLDINGS_RETRY_MS = 5 * MINUTE_MS;
/** A profile's holdings figures cover this many of the newest ended calls. */
export const HOLDINGS_SUMMED_CALLS = 100;
/**
 * `partial`: some transactions couldn't be read, or there are too many. `unread`: the chain couldn't be read.
 * `no_wallet`: the caller had verified no wallet.
 */
export const HOLDINGS_STATES = ['complete', 'partial', 'unread', 'no_wallet'] as const;
/** `received` and `sent`: everything that isn't clearly a purchase or a sale. */
export const MOVEMENT_KINDS = ['bought', 'received', 'sold', 'sent'] as const;
/** One person's open wallet challenges. A further challenge replaces the oldest one. */
export const MAX_OPEN_CHALLENGES = 5;
export const PAYOUT_CHANGES_SHOWN_MS = 30 * DAY_MS;
export const MAX_PAYOUT_CHANGES_SHOWN = 10;

// Sessions
export const SESSION_SLIDING_MS = 30 * DAY_MS;
export const SESSION_ABSOLUTE_MS = 90 * DAY_MS;
/** The last use of a session is recorded at most once in this time. */
export const SESSION_USE_MS = HOUR_MS;
/** A user has at most this many sessions. A further sign-in ends the session that was used least recently. */
export const MAX_SESSIONS = 100;
/** Keys of a user's own programs. */
export const MAX_API_KEYS = 20;
export const API_KEY_PREFIX = 'sc_';
export const MAX_API_KEY_NAME_LENGTH = 60;
/** A device counts as new again this long after its last sign-in. No session lasts this long. */
export const DEVICE_REMEMBERED_MS = 180 * DAY_MS;
/** The list of sessions marks a new device for this long. */
export const NEW_DEVICE_SHOWN_MS = 7 * DAY_MS;
/** URL fragment of the dashboard's list of sessions, which messages link to. */
export const SESSIONS_ANCHOR = 'sessions';
export const SIGN_IN_ATTEMPT_MS = 10 * MINUTE_MS;
/** Changing or removing a payout wallet, and creating an API key, need a sign-in this recent. */
export const FRESH_SIGN_IN_MS = 15 * MINUTE_MS;
export const WALLET_CHALLENGE_MS = 10 * MINUTE_MS;
export const X_TOKEN_MARGIN_MS = MINUTE_MS;
export const X_TOKEN_TIMEOUT_MS = 8 * SECOND_MS;
/** Other requests wait this long while one request refreshes the X tokens. Must be longer than X_TOKEN_TIMEOUT_MS. */
export const X_REFRESH_CLAIM_MS = 15 * SECOND_MS;
/** A refresh that isn't finished after this time has failed. The user must allow posting again. */
export const X_REFRESH_LOST_MS = 10 * MINUTE_MS;
/** Pause after a rate limit if X doesn't say when it ends. */
export const X_RATE_LIMIT_MS = 15 * MINUTE_MS;

// Texts
export const BIO_MAX_LENGTH = 500;
export const TWEET_MAX_LENGTH = 280;
export const UPDATE_MESSAGE_MAX_LENGTH = 3896;
export const THESIS_MAX_LENGTH = 500;
export const TOKEN_SYMBOL_MAX_LENGTH = 32;
export const WALLET_PREFIX_LENGTH = 8;

// Telegram
/** Telegram's limit, in UTF-16 units. A caller's update has 200 fewer, because other text surrounds it. */
export const TELEGRAM_MESSAGE_MAX_LENGTH = 4096;
export const TELEGRAM_HANDLE_MIN_LENGTH = 5;
export const TELEGRAM_HANDLE_MAX_LENGTH = 32;
/** The commands in private chats. */
export const BOT_COMMANDS = [
  { command: 'status', description: 'Review what this chat gets' },
  { command: 'stop', description: 'Disconnect and leave chats' },
  { command: 'call', description: 'Make a call' },
  { command: 'update', description: 'Send an update on a call' },
  { command: 'end', description: 'End a call' },
  { command: 'calls', description: 'List your active calls' },
  { command: 'stats', description: 'Show your record' },
  { command: 'connect', description: 'Post calls in your channel or group' },
  { command: 'help', description: 'List the commands' },
] as const;
/** The commands in callers' groups. */
export const GROUP_COMMANDS = [
  { command: 'stats', description: "The caller's record" },
  { command: 'first', description: 'Who called a token first' },
  { command: 'recap', description: 'The ended calls of a week or a month' },
] as const;
/** The updates that the bot asks Telegram for. */
export const TELEGRAM_UPDATES = [
  'message',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
] as const;
/** The card that connects Telegram and switches calls from the chat on. Callers see it in the subscriber view only. */
export const TELEGRAM_SETTINGS_PATH = '/dashboard?view=subscriber#telegram';
export const TELEGRAM_START_LINK_MS = DAY_MS;
/** Links to callers' chats that the bot shows after Start. */
export const MAX_START_LINKS = 3;
/** At most this often, besides a check before each call. */
export const CHAT_CHECK_MS = HOUR_MS;
/** The bot refuses a command that arrives later, because prices have changed since. */
export const COMMAND_MAX_AGE_MS = MINUTE_MS;
/** The lifetime of the buttons under the bot's cards. */
export const OFFER_LIFETIME_MS = MINUTE_MS;
/** Commands in a group: six in any minute, so that the messages about calls fit into Telegram's limit of 20. */
export const GROUP_COMMAND_LIMIT = { burst: 3, everyMs: 20 * SECOND_MS } as const;
/** One member's commands in a group, so that nobody uses up the group's. */
export const MEMBER_COMMAND_LIMIT = { burst: 2, everyMs: 40 * SECOND_MS } as const;
/** The same recap is drawn once a minute and chat. */
export const RECAP_LIMIT = { burst: 1, everyMs: MINUTE_MS } as const;
/** A caller may connect one of each. */
export const CHAT_KINDS = ['channel', 'group'] as const;
/** Problems of a connected chat. `CHAT_PROBLEM_TEXTS` says what to do. */
export const CHAT_PROBLEMS = [
  'bot_removed',
  'gone',
  'basic_group',
  'no_post_right',
  'unconfirmed',
  'public',
  'discussion_not_connected',
  'discussion_problem',
  'no_remove_right',
  'no_invite_right',
] as const;
/** A request to join a Paid caller's chat is declined after this time. */
export const JOIN_REQUEST_MS = DAY_MS;
/** People whom one run of the cron checks in callers' chats. */
export const CHAT_MEMBERS_PER_RUN = 200;
export const CHAT_OTHERS_PAGE_SIZE = 20;
/** Timeout of a request to Telegram, which may still have accepted the message. */
export const TELEGRAM_TIMEOUT_MS = 25 * SECOND_MS;
/** A caller may send ten updates in this window. A repeated text on the same call isn't sent again in it. */
export const UPDATES_WINDOW_MS = 10 * MINUTE_MS;
export const MAX_UPDATES_PER_WINDOW = 10;
/** Messages older than this are dropped. Messages about calls become outdated sooner than notices about money. */
export const NOTIFICATION_LIFETIME_MS = HOUR_MS;
export const NOTICE_LIFETIME_MS = DAY_MS;
export const OUTBOX_BATCH_SIZE = 100;
export const FOLLOWERS_PAGE_SIZE = 1_000;
export const CALL_EVENT_KINDS = ['call_opened', 'call_ended', 'call_update', 'level_hit'] as const;
/**
 * Users can switch these off, but not the notices of a payout wallet, a new device and a refund. `chat_only` sends no
 * private message about a call that is posted in a chat where the user is; switched off, both are sent.
 */
export const NOTIFICATION_KINDS = [
  ...CALL_EVENT_KINDS,
  'subscription_expiring',
  'subscription_expired',
  'payment_received',
  'chat_only',
] as const;
export const MAX_MUTED_CALLERS = 500;
/** The recipients of an update are counted immediately for callers with at most this many followers. */
export const MAX_COUNTED_FOLLOWERS = 10;
/** Telegram accepts about 30 messages per second from a bot. The sender's burst adds at most five. */
export const MESSAGES_PER_SECOND = 25;
/** Posts in channels and groups. Together with the private messages, the bot stays below Telegram's 30. */
export const POSTS_PER_SECOND = 4;
/** The maximum number of messages per minute about one caller's calls to one follower. Further messages wait. */
export const MAX_MESSAGES_PER_FOLLOWER = 5;
/** In a minute in one group, where Telegram allows 20. The others are for responses to commands. */
export const MAX_POSTS_PER_CHAT = 14;
/** The sender stores the events that it has sent for this long. */
export const DELIVERIES_KEPT_MS = 30 * DAY_MS;
export const DELIVERY_LOG_PAGE_SIZE = 6;

// Web Push
/** The maximum number of one person's browsers that get notifications. A further browser replaces the oldest one. */
export const MAX_PUSH_DEVICES = 10;
export const MAX_PUSH_ENDPOINT_LENGTH = 1_000;
/** A push service must accept 4,096 bytes. Encryption adds 103 (RFC 8291). */
export const PUSH_PAYLOAD_MAX_BYTES = 3_993;
/** Six connections at a time send about this many pushes, at 60 ms each. Push services' own limits are higher. */
export const PUSHES_PER_SECOND = 100;
/** Receivers may take long to respond, so this is far below what the sender could do. */
export const WEBHOOKS_PER_SECOND = 50;
export const MAX_WEBHOOK_URL_LENGTH = 1_000;
/** The push services of Chrome, Firefox, Safari and Edge. */
export const PUSH_SERVICES = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
] as const;

// Lists
/** The first sort order is the default. */
export const CALLER_SORTS = [
  'avgReturn',
  'winRate',
  'proven',
  'followerReturn',
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
/** A page's HTML has this many rows of a list. The browser loads the others. */
export const FIRST_ROWS = { callers: 21, endedCalls: 20, history: 20 } as const;
export const PAYMENTS_PAGE_SIZE = 50;
export const EARNINGS_CSV_PAGE_SIZE = 500;
/** An export has parts of at least this many rows, and of less than twice as many. */
export const EXPORT_PAGE_SIZE = 1_000;
/** A deletion erases one slice of the texts at once. The cron erases the others, at most this many slices a run. */
export const ERASED_CALLS_PER_SLICE = 100;
export const ERASED_SLICES_PER_RUN = 20;
/** Parts of exports. The data of most people is one part. */
export const DATA_EXPORTS = { burst: 1_000, everyMs: MINUTE_MS } as const;
/**
 * sitemaps.org allows 50,000 URLs per sitemap and 50,000 sitemaps per index. SITEMAP_MAX_PARTS is lower than
 * 50,000, because other pages than calls also need sitemaps.
 */
export const SITEMAP_MAX_URLS = 50_000;
export const SITEMAP_MAX_PARTS = 49_000;
export const SPARKLINE_CALLS = 7;
/** An unverified caller needs this many subscribers to count as better known than a look-alike. */
export const LOOK_ALIKE_MIN_SUBSCRIBERS = 10;
/** The known callers with the same key that are compared, for each of the four pairs of handles and names. */
export const LOOK_ALIKES_READ = 4;
/** The longest time from the request to delete a caller's account until the deletion. */
export const DELETION_MAX_WAIT_MS = 30 * DAY_MS;
/** For this long after a handle has moved to another account, its page names the former holder. */
export const FORMER_HOLDER_SHOWN_MS = 90 * DAY_MS;
export const RECENT_BUYS_SHOWN = 10;
export const TRANSACTIONS_LIMIT = 100;
/**
 * Requests per minute. On all routes together, `address` limits one network address with all its visitors, and `visitor`
 * one person (or address). The others limit one person (or address) on one route. wrangler.toml has the same numbers.
 */
export const RATE_LIMITS = {
  address: 6_000,
  visitor: 1_200,
  cheap: 900,
  reads: 240,
  writes: 60,
  costly: 30,
} as const;
export const MAX_BODY_BYTES = 64 * 1024;
/** A reply contains the quoted message, whose JSON may be larger than MAX_BODY_BYTES. */
export const MAX_TELEGRAM_UPDATE_BYTES = 512 * 1024;
/** X counts every link as this many characters. */
export const TWEET_LINK_LENGTH = 23;
/** Token icons may be larger than X's images, because the creators of tokens upload whatever they like. */
export const TOKEN_ICON = {
  maxBytes: 2 * 1024 * 1024,
  /** The largest width and height in px. A browser needs 16 MB for an image of 2048×2048. */
  maxSide: 2_048,
  maxRedirects: 2,
  maxUrlLength: 1_000,
  timeoutMs: 5 * SECOND_MS,
} as const;
/** The server caches an image for this long. */
export const IMAGE_KEPT_MS = 7 * DAY_MS;
/** The server waits this long after a failure before it fetches the image again. */
export const IMAGE_FAILURE_KEPT_MS = MINUTE_MS;
export const SHARE_IMAGE_MAX_BYTES = 5 * 1024 * 1024;
/** Space for the largest image in base64 (four characters for three bytes) plus the rest of the body. */
export const MAX_SHARE_BODY_BYTES = Math.ceil(SHARE_IMAGE_MAX_BYTES / 3) * 4 + MAX_BODY_BYTES;

// Polling and caching in the browser
export const POLL_MS = {
  prices: 10 * SECOND_MS,
  solPrice: 60 * SECOND_MS,
  wallets: 5 * SECOND_MS,
  activeCalls: 10 * SECOND_MS,
  ownProfile: 10 * SECOND_MS,
  /** A profile whose active calls the viewer can't see. */
  publicProfile: 30 * SECOND_MS,
  /** The same interval as prices, because the response contains the calls' prices. */
  subscriptionCalls: 10 * SECOND_MS,
  transactions: 30 * SECOND_MS,
  balances: 60 * SECOND_MS,
  payoutChanges: 60 * SECOND_MS,
  endedCalls: 30 * SECOND_MS,
  /** Used while the page waits for the user to press Start in the bot. */
  telegramStart: 3 * SECOND_MS,
  deliveries: 30 * SECOND_MS,
  pauses: 60 * SECOND_MS,
} as const;
/** Events for open pages. They contain no data: the page refetches what may have changed. */
export const LIVE_TOPICS = ['calls', 'payments', 'earnings', 'wallets', 'sessions'] as const;
/** Live connections are spread over this many hubs. Each event of a caller is sent to all hubs. */
export const LIVE_HUBS = 8;
/** Limits of one hub. A person's further connection replaces their oldest; an address's is refused. */
export const MAX_LIVE_CONNECTIONS = { perPerson: 10, perAddress: 250 } as const;
/** Length limit of a page's messages, which are pings, and the id of the caller on the page with ` prices` behind it. */
export const MAX_LIVE_MESSAGE_LENGTH = 64;
export const MAX_LIVE_MESSAGES_PER_MINUTE = 60;
/** The maximum number of followed callers whose events one connection gets. */
export const MAX_LIVE_FOLLOWS = 1_000;
/** While a connected page shows active calls, it gets their prices at this interval. */
export const LIVE_PRICES_MS = 10 * SECOND_MS;
/** A hub sends the prices of at most this many callers at once. If there are more, others each time. */
export const MAX_LIVE_PRICED_CALLERS = 100;
export const LIVE_PING_MS = 30 * SECOND_MS;
/** A connected page refetches everything at this interval, in case an event got lost on its way to the hub. */
export const LIVE_REFRESH_MS = 5 * MINUTE_MS;
/** Close codes of a WebSocket. After `signedOut` and `replaced`, the page doesn't connect again by itself. */
export const LIVE_CLOSE_CODES = { signedOut: 4401, replaced: 4409, badMessage: 4400 } as const;
export const USER_STALE_MS = 10 * MINUTE_MS;
export const USER_KEPT_MS = 15 * MINUTE_MS;
export const DIRECTORY_RETRIES = 3;
export const PRICE_RETRIES = 3;

// Screens
export const SKELETON_ROWS = { directory: 6, activeCalls: 3, history: 5 } as const;
/** The largest holders can set the price alone if they have this share of the supply. */
export const RISKY_TOP_HOLDERS_PERCENT = 50;
export const TOAST_MS = 5 * SECOND_MS;
/** The page says that the connection is slow after waiting this long. */
export const SLOW_CONNECTION_MS = 1.5 * SECOND_MS;
export const SHARE_IMAGE = { width: 1200, height: 675 } as const;

// The public log
/** The kinds of the log's entries. */
export const LOG_EVENT_KINDS = [
  'keys',
  'opened',
  'updated',
  'ended',
  'marked',
  'named',
  'hidden',
  'deleted',
] as const;
/** The limit comes from tlog-tiles, which stores an entry's length in two bytes. */
export const LOG_ENTRY_MAX_BYTES = 65_535;
/** The end of a call opens all of its sealed entries in one entry, so their number is limited. */
export const MAX_UPDATES_PER_CALL = 100;
/** The maximum number of times that operators can unhide texts of one active call. */
export const MAX_SEALED_SHOWS = 25;
/** Maximum number of entries that one checkpoint adds. */
export const LOG_CHECKPOINT_MAX_ENTRIES = 512;
/** The entries whose texts are on one page of `/log/texts`. */
export const LOG_TEXTS_ENTRIES = 100;
/** The time within which each entry is published. */
export const LOG_DUE_MS = 2 * MINUTE_MS;
/** A run of the cron signs checkpoints until it has caught up, or for this long. */
export const LOG_SEQUENCE_MS = 10 * SECOND_MS;
/** Interval at which the log's root is written to the chain, if the log has grown. */
export const LOG_ANCHOR_MS = 5 * MINUTE_MS;
/** Interval at which the log's root is written to the chain in any case. */
export const LOG_ANCHOR_MAX_MS = HOUR_MS;
/** An entry that no anchor covers within this time is late: its time is unproven. An alarm is raised, too. */
export const LOG_ANCHOR_LATE_MS = 15 * MINUTE_MS;
/** An entry without an anchor is late after this time, which leaves minutes to learn of anchors in the last blocks. */
export const LOG_UNANCHORED_MS = 20 * MINUTE_MS;
/** An alarm is raised when the anchor wallet has less than this many fees left, which last about a month. */
export const LOG_ANCHOR_RESERVE = 10_000n;

// Operators
/** The kinds of callers' texts that operators can hide. */
export const HIDEABLE_TEXTS = ['bio', 'thesis', 'update'] as const;
/** Shown instead of a hidden text. */
export const HIDDEN_TEXT = `Hidden by ${PRODUCT_NAME}`;
export const OPERATOR_ACTIONS = [
  'verify',
  'unverify',
  'suspend',
  'unsuspend',
  'hide_caller',
  'show_caller',
  'hide_text',
  'show_text',
  'resolve_orphan',
  'resolve_small_orphans',
  'resend_event',
  'dismiss_event',
  'end_sessions',
  'rebuild_statistics',
  'resolve_reports',
  'pause',
  'resume',
  'add_note',
  'remove_note',
  'delete_account',
] as const;
/** The functions that operators can pause for everybody. */
export const PAUSABLE = ['payments', 'calls', 'posting'] as const;
export const OPERATOR_REASON = { minLength: 3, maxLength: 500 } as const;
/** Maximum age of the sign-in for an operator's actions. */
export const OPERATOR_SIGN_IN_MS = 12 * HOUR_MS;
export const OPERATORS_PAGE_SIZE = 50;
/** The operators' console lists this many of a person's intents, payments and periods. */
export const PERSON_PAYMENTS_SHOWN = 20;
/** Limit on one operator's requests for the chain's view. */
export const CHAIN_VIEWS = { burst: 20, everyMs: 3 * SECOND_MS } as const;
/** Orphan payments below this amount (0.001 SOL) can be resolved together. */
export const SMALL_ORPHAN_LAMPORTS = 1_000_000;

// Reports
export const REPORTED_KINDS = ['caller', 'call', 'update'] as const;
export const REPORT_REASONS = ['impersonation', 'scam', 'paid_promotion', 'abuse', 'other'] as const;
export const REPORT_TEXT_MAX_LENGTH = 500;
/** The operators' overview counts the newest open reports and orphans, up to this many of each. */
export const MAX_COUNTED_PROBLEMS = 1_000;
export const REPORTS_PER_DAY = 20;
/** Limit on one person's reports: REPORTS_PER_DAY at once, then one every `everyMs`. */
export const REPORT_ATTEMPTS = { burst: REPORTS_PER_DAY, everyMs: DAY_MS / REPORTS_PER_DAY } as const;
