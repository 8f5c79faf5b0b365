import type { CallDetail } from './calls.ts';
import type { CallerListItem } from './callers.ts';

/** A call that was opened, updated or ended, as viewers with access see it, but without its current price. */
export interface ChangedCall {
  readonly call: CallDetail;
  /** The caller's public figures. Null if the caller is hidden. */
  readonly caller: Omit<CallerListItem, 'recentCalls'> | null;
}

/** A message to an open page that isn't a topic (`LIVE_TOPICS`), as JSON. */
export interface LiveCall extends ChangedCall {
  /** The viewer follows the caller. */
  readonly isFollowed: boolean;
}
