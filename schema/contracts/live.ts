import type { CallDetail } from './calls.ts';
import type { ShownPrices } from './prices.ts';
import type { CallerListItem } from './callers.ts';

/** A call that was opened, updated or ended, as viewers with access see it, but without its current price. */
export interface ChangedCall {
  readonly call: CallDetail;
  /** The caller's public figures. Null if the caller is hidden. */
  readonly caller: Omit<CallerListItem, 'recentCalls'> | null;
}

/** A JSON message to an open page. Other messages are topics (`LIVE_TOPICS`). */
export type LiveMessage = LiveCall | LivePrices;

export interface LiveCall extends ChangedCall {
  readonly isFollowed: boolean;
}

export interface LivePrices {
  readonly prices: ShownPrices;
}
