import { MAX_BODY_BYTES } from './app.ts';
import { SECOND_MS, MINUTE_MS } from './time.ts';

export const X_TOKEN_TIMEOUT_MS = 8 * SECOND_MS;
/** Other requests wait this long while one request refreshes the X tokens. Must be longer than X_TOKEN_TIMEOUT_MS. */
export const X_REFRESH_CLAIM_MS = 15 * SECOND_MS;
/** A refresh that isn't finished after this time has failed. The user must allow posting again. */
export const X_REFRESH_LOST_MS = 10 * MINUTE_MS;
export const TWEET_MAX_LENGTH = 280;
/** X counts every link as this many characters. */
export const TWEET_LINK_LENGTH = 23;
export const SHARE_IMAGE = { width: 1200, height: 675 } as const;
const SHARE_IMAGE_MAX_BYTES = 5 * 1024 * 1024;
/** Space for the largest image in base64 (four characters for three bytes) plus the rest of the body. */
export const MAX_SHARE_BODY_BYTES = Math.ceil(SHARE_IMAGE_MAX_BYTES / 3) * 4 + MAX_BODY_BYTES;

/** A page's HTML has this many rows of a list. The browser loads the others. */
export const FIRST_ROWS = { callers: 21, endedCalls: 20, history: 20 } as const;
/**
 * sitemaps.org allows 50,000 URLs per sitemap and 50,000 sitemaps per index. SITEMAP_MAX_PARTS is lower than
 * 50,000, because other pages than calls also need sitemaps.
 */
export const SITEMAP_MAX_URLS = 50_000;
export const SITEMAP_MAX_PARTS = 49_000;
