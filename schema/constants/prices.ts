import { SECOND_MS, MINUTE_MS, DAY_MS } from './time.ts';

/** Two sources whose prices differ by more than this contradict each other. */
export const MAX_PRICE_DEVIATION_PERCENT = 3;
/** A price that a user saw is refused at once if it differs more than this from our last one. */
export const CLEARLY_MOVED_PERCENT = 10;
export const MAX_QUOTE_AGE_MS = 60 * SECOND_MS;
/** A token with less liquidity or a lower 24-hour volume is a micro-cap: small sums can move its price. */
export const MICRO_CAP_USD = 25_000;
/** A token with a younger pool is a micro-cap, too. */
export const MIN_POOL_AGE_MS = DAY_MS;
/** The largest holders can set the price alone if they have this share of the supply. */
export const RISKY_TOP_HOLDERS_PERCENT = 50;
/** A ranked call needs this many usable quotes at its entry, and a gain also needs them at the end to count. */
export const MIN_RANKED_QUOTES = 2;

/** Why a quote has no price, and from `undated` on, why its price confirms no other one. */
export const QUOTE_FAILURES = ['unavailable', 'absent', 'invalid', 'undated', 'rescaled'] as const;

// Freshness
/** Maximum age of a price in the Worker's own cache. */
export const SHOWN_PRICE_WINDOW_MS = 5 * SECOND_MS;
/** The price of a token with an ended call is refreshed if somebody looks at it after this time. */
export const PUBLIC_PRICE_KEPT_MS = 30 * SECOND_MS;
/** Responses wait this long for fresh prices, and then show stored prices. */
export const LIVE_PRICE_WAIT_MS = 2 * SECOND_MS;
export const MAX_FRESH_PRICE_AGE_MS = 60 * SECOND_MS;
export const MAX_MINTS_PER_REQUEST = 100;

// Sources
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

// Charts
/**
 * Charts have one price per interval. Prices older than two days are thinned to one per hour, and prices
 * older than 60 days to one per day.
 */
export const CLOSE_INTERVAL_MS = 5 * MINUTE_MS;
export const CLOSES_HOURLY_AFTER_MS = 2 * DAY_MS;
export const CLOSES_DAILY_AFTER_MS = 60 * DAY_MS;
export const MAX_CHART_POINTS = 600;

// Tokens
/** The shortest token search, in UTF-16 units. */
export const TOKEN_SEARCH_MIN_LENGTH = 2;
export const TOKEN_SEARCH_MAX_LENGTH = 60;
export const TOKEN_SEARCH_RESULTS = 10;
/** Browsers keep the response to a token search for this long. */
export const TOKEN_SEARCH_KEPT_MS = 30 * SECOND_MS;
/** Limit on one person's searches for tokens. Each costs a source mostly one to three requests of the person's share. */
export const TOKEN_SEARCH_LIMIT = { burst: 20, everyMs: 3 * SECOND_MS } as const;
/** The maximum lengths that a call's token may have. Longer ones of a source are cut. */
export const TOKEN_SYMBOL_MAX_LENGTH = 32;
export const TOKEN_NAME_MAX_LENGTH = 80;
/** Characters of an account's address, such as a token's. */
export const ADDRESS_MAX_LENGTH = 44;
