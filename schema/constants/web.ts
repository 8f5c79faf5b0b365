import { SECOND_MS, MINUTE_MS } from './time.ts';

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
  status: 30 * SECOND_MS,
} as const;
export const LIVE_PING_MS = 30 * SECOND_MS;
/** A connected page refetches everything at this interval, in case an event got lost on its way to the hub. */
export const LIVE_REFRESH_MS = 5 * MINUTE_MS;
export const PRICE_RETRIES = 3;
export const SKELETON_ROWS = { directory: 6, activeCalls: 3, history: 5 } as const;
export const TOAST_MS = 5 * SECOND_MS;
/** The page says that the connection is slow after waiting this long. */
export const SLOW_CONNECTION_MS = 1.5 * SECOND_MS;
