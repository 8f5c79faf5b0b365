export const PRODUCT_NAME = 'SolCallers';

export const SEARCH_MAX_LENGTH = 60;
export const LIST_MAX_PAGE_SIZE = 100;

/**
 * Requests per minute. On all routes together, `address` limits one network address (of IPv6: 48 bits) with all its
 * visitors, and `visitor` one person (or address, of IPv6: 64 bits). The others limit one person (or address) on one
 * route. wrangler.toml has the same numbers.
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
